import { removeSbom, scannerUploads, type SbomReference } from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import type {
  DetailsDocument,
  ServiceStateDocument,
  SbomVersionDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';
import {
  fakeCatalog,
  verified,
  type FakeCatalog,
  type RegisteredService,
} from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { notifiedService, type NotifiedService } from '../testing/notified-service';

let harness: TestReconciler;
let catalog: FakeCatalog;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
  catalog = fakeCatalog(harness);
});
afterAll(() => harness?.stop());

const vulnerabilities = () =>
  harness.db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
const sbomVersions = () => harness.db.collection<SbomVersionDocument>('sbom_versions');
const states = () => harness.db.collection<ServiceStateDocument>('service_states');

/** All that is stored of a service, without what counts its writes and without alert periods, which a repair may begin. */
async function storedOf({ service_id }: RegisteredService): Promise<unknown> {
  const state = await states().findOne({ _id: service_id });
  const { version: _version, ...rest } = state ?? ({} as ServiceStateDocument);
  return {
    state: rest,
    vulnerabilities: await vulnerabilities()
      .find({ service_id })
      .project({ alert_periods: 0 })
      .sort({ _id: 1 })
      .toArray(),
    sbomVersions: await sbomVersions().find({ service_id }).sort({ _id: 1 }).toArray(),
  };
}

type Corruption = (reported: NotifiedService) => Promise<unknown>;

/** What is done, and the differences that are to be reported, by kind. */
const corruptions: [string, Corruption, string[]][] = [
  [
    'a state that was changed',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('fixed')._id },
        { $set: { status: 'open' } },
      ),
    ['vulnerability-differs', 'counters-differ'],
  ],
  [
    'an acceptance that the rows do not show',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('accepted')._id },
        { $set: { status: 'open' } },
      ),
    ['vulnerability-differs', 'counters-differ'],
  ],
  [
    'runs that were changed',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('fixed')._id },
        { $set: { presence: [{ from: 1, to: 2 }] } },
      ),
    ['vulnerability-differs'],
  ],
  [
    'runs without end in a row that is fixed',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('fixed')._id },
        { $set: { 'presence.0.to': null } },
      ),
    ['vulnerability-differs'],
  ],
  [
    'a severity that is not that of the details',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('open')._id },
        { $set: { severity: 'low' } },
      ),
    ['vulnerability-fields-differ', 'counters-differ'],
  ],
  [
    'a state that does not exist',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('open')._id },
        { $set: { status: 'gone' as 'open' } },
      ),
    ['vulnerability-differs', 'counters-differ'],
  ],
  [
    'a row that the active list skips',
    ({ vulnerability }) =>
      harness.db
        .collection<DetailsDocument>('vulnerability_details')
        .updateOne({ _id: vulnerability('open').details_id ?? '' }, { $set: { has_open: false } }),
    ['details-missing'],
  ],
  [
    'former ids that it never had',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('open')._id },
        { $set: { former_ids: ['CVE-9'] } },
      ),
    ['vulnerability-fields-differ'],
  ],
  [
    'a row of another project',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('open')._id },
        { $set: { project_id: newId() } },
      ),
    ['vulnerability-fields-differ'],
  ],
  [
    'counters that are off',
    ({ service }) =>
      states().updateOne({ _id: service.service_id }, { $inc: { 'counts.high': 3 } }),
    ['counters-differ'],
  ],
  [
    'a newest SBOM that is off',
    ({ service, uploads }) =>
      states().updateOne(
        { _id: service.service_id },
        { $set: { 'head.sbom_id': uploads[0]?.sbom_id } },
      ),
    ['head-differs'],
  ],
  [
    'a revision that is not in force yet',
    ({ service }) => states().updateOne({ _id: service.service_id }, { $set: { revision: 99 } }),
    ['state-differs'],
  ],
  [
    'a row that was merged into itself',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('merged')._id },
        { $set: { merged_into: vulnerability('merged')._id } },
      ),
    ['vulnerability-differs'],
  ],
  [
    'a row that was merged into one that is not there',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('merged')._id },
        { $set: { merged_into: newId() } },
      ),
    ['vulnerability-differs'],
  ],
  [
    'a row that was merged into one of another package',
    ({ vulnerability }) =>
      vulnerabilities().updateOne(
        { _id: vulnerability('merged')._id },
        { $set: { merged_into: vulnerability('fixed')._id } },
      ),
    ['vulnerability-differs'],
  ],
  [
    'a place in the log that is off',
    ({ uploads }) =>
      sbomVersions().updateOne({ _id: uploads[1]?.sbom_id ?? '' }, { $set: { seq: 7 } }),
    ['sbom-version-differs'],
  ],
];

describe('Corrupted data of a service', () => {
  test.each(corruptions)(
    '%s is found, repaired, and then as it was',
    async (_what, corrupt, kinds) => {
      const reported = await notifiedService(harness, catalog);
      const before = await storedOf(reported.service);
      expect((await verified(harness, { service: reported.service })).verdicts).toEqual([]);
      await corrupt(reported);
      const found = await verified(harness, { service: reported.service });
      const differences = found.verdicts.flatMap((verdict) => verdict.differences);
      expect(differences.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
      expect(found).toMatchObject({
        totals: { services: 1, differing: 1, repaired: 0, undecided: 0 },
      });
      const repaired = await verified(harness, { service: reported.service, repair: true });
      expect(repaired.verdicts).toMatchObject([{ repair: { did: 'recomputed', left: [] } }]);
      expect((await verified(harness, { service: reported.service })).verdicts).toEqual([]);
      expect(await storedOf(reported.service)).toEqual(before);
    },
  );
});

/** Repairs a service and gives what was reported; fails where it does not end well or is not clean afterwards. */
async function mended(service: RegisteredService, did = 'recomputed'): Promise<string[]> {
  const found = await verified(harness, { service });
  expect(found.totals).toMatchObject({ differing: 1, undecided: 0 });
  const { verdicts } = await verified(harness, { service, repair: true });
  expect(verdicts).toMatchObject([{ repair: { did, left: [] } }]);
  expect((await verified(harness, { service })).verdicts).toEqual([]);
  return found.verdicts.flatMap(({ differences }) => differences.map(({ kind }) => kind)).sort();
}

describe('What is missing, or too much', () => {
  test('a deleted vulnerability is created again, with another id', async () => {
    const { service, vulnerability } = await notifiedService(harness, catalog);
    await vulnerabilities().deleteOne({ _id: vulnerability('fixed')._id });
    expect(await mended(service)).toEqual(['counters-differ', 'vulnerability-missing']);
    expect(await service.states()).toMatchObject({ 'axios GHSA-2': 'fixed' });
  });

  test('a duplicate is merged into the older vulnerability', async () => {
    const { service, vulnerability } = await notifiedService(harness, catalog);
    const copy = { ...vulnerability('open'), _id: newId() };
    await vulnerabilities().insertOne(copy);
    expect(await mended(service)).toEqual(['counters-differ', 'vulnerability-differs']);
    expect(await vulnerabilities().findOne({ _id: copy._id })).toMatchObject({
      status: 'merged',
      merged_into: vulnerability('open')._id,
    });
  });

  test('a duplicate that no SBOM contains is merged, too', async () => {
    const { service, uploads } = await notifiedService(harness, catalog);
    await service.remove(uploads[2] as SbomReference);
    const vanished = (await service.documents()).find(({ status }) => status === 'vanished');
    if (!vanished) throw new Error('There is none.');
    await vulnerabilities().insertOne({ ...vanished, _id: newId() });
    expect(await mended(service)).toEqual(['vulnerability-differs']);
  });

  test('a scanned SBOM without version gets one', async () => {
    const { service, uploads } = await notifiedService(harness, catalog);
    const before = await storedOf(service);
    await sbomVersions().deleteOne({ _id: uploads[0]?.sbom_id ?? '' });
    expect(await mended(service)).toContain('sbom-version-missing');
    expect(await storedOf(service)).toEqual(before);
  });

  test('an existing SBOM with a tombstone gets its version back', async () => {
    const { service, uploads } = await notifiedService(harness, catalog);
    const before = await storedOf(service);
    const { sbom_id = '' } = uploads[1] ?? {};
    const { service_id, project_id } = service;
    await harness.bus.request(removeSbom, { sbom_id, service_id, project_id });
    expect(await mended(service)).toContain('sbom-version-missing');
    expect(await storedOf(service)).toEqual(before);
  });

  test('an SBOM version without SBOM is removed, with the vulnerabilities that only it contained', async () => {
    const { service, uploads } = await notifiedService(harness, catalog);
    service.deleteSbomOf(uploads[2]?.sbom_id ?? '');
    const kinds = await mended(service);
    expect(kinds).toContain('sbom-version-extra');
    expect(Object.values(await service.states())).toContain('vanished');
  });

  test('a service whose SBOM versions are all gone leaves nothing in the lists', async () => {
    const { service, uploads } = await notifiedService(harness, catalog);
    for (const { sbom_id } of uploads) service.deleteSbomOf(sbom_id);
    await mended(service);
    expect(await service.activeList()).toEqual([]);
  });

  test('vulnerabilities without a service state get one, and keep their ids', async () => {
    const { service } = await notifiedService(harness, catalog);
    const before = (await service.documents()).map(({ _id, status }) => [_id, status]);
    await states().deleteOne({ _id: service.service_id });
    expect(await mended(service)).toContain('head-differs');
    expect((await service.documents()).map(({ _id, status }) => [_id, status])).toEqual(before);
  });

  test('missing details are stored again', async () => {
    const { service, vulnerability } = await notifiedService(harness, catalog);
    const open = await service.activeList();
    const details = harness.db.collection<{ _id: string }>('vulnerability_details');
    await details.deleteOne({ _id: vulnerability('open').details_id ?? '' });
    const kinds = await mended(service);
    expect(new Set(kinds)).toEqual(new Set(['details-missing', 'vulnerability-differs']));
    expect(await service.activeList()).toEqual(open);
  });

  test('a service that the catalog does not have any more goes', async () => {
    const { service } = await notifiedService(harness, catalog);
    catalog.services.delete(service.service_id);
    expect(await mended(service, 'removed')).toEqual(['service-unknown']);
    expect(await service.documents()).toEqual([]);
  });

  test('the remains of a service without a state are found by a check of all services, and removed', async () => {
    const { service } = await notifiedService(harness, catalog);
    catalog.services.delete(service.service_id);
    await states().deleteOne({ _id: service.service_id });
    const { verdicts } = await verified(harness);
    expect(
      verdicts.filter(({ service: one }) => one?.service_id === service.service_id),
    ).toMatchObject([{ differences: [{ kind: 'service-unknown' }] }]);
    await mended(service, 'removed');
    await verified(harness, { repair: true });
    expect((await verified(harness)).verdicts).toEqual([]);
  });

  test('a service that was deleted here and is in the catalog cannot be repaired, which is said', async () => {
    const { service } = await notifiedService(harness, catalog);
    await states().updateOne({ _id: service.service_id }, { $set: { deletion_state: 'purged' } });
    const { verdicts } = await verified(harness, { service, repair: true });
    expect(verdicts).toMatchObject([
      { differences: [{ kind: 'service-deleted' }], repair: { did: 'deleted', left: [{}] } },
    ]);
    await states().updateOne({ _id: service.service_id }, { $unset: { deletion_state: 1 } });
  });

  test('findings that the scanner has lost are reported, and their scan is requested', async () => {
    const { service, uploads } = await notifiedService(harness, catalog);
    const { digest = '', sbom_id } = uploads[1] ?? {};
    const found = harness.scans.get(digest) ?? [];
    harness.scans.delete(digest);
    const { verdicts } = await verified(harness, { service, repair: true });
    expect(verdicts).toMatchObject([
      {
        differences: [{ kind: 'findings-missing', id: sbom_id }],
        repair: { did: 'rescan-requested' },
      },
    ]);
    const last = await harness.bus.connection.manager.streams.getMessage('WORK', {
      last_by_subj: scannerUploads.filterSubject.replace('*', '>'),
    });
    expect(last?.string()).toContain(sbom_id);
    harness.scans.set(digest, found);
    expect((await verified(harness, { service })).verdicts).toEqual([]);
  });

  test('the totals are compared with the counts of each service', async () => {
    await verified(harness, { repair: true });
    await harness.db
      .collection<{ _id: number }>('count_totals')
      .updateOne({ _id: 7 }, { $inc: { high: 5 } }, { upsert: true });
    expect((await verified(harness)).verdicts).toMatchObject([
      { service: null, differences: [{ kind: 'totals-differ' }] },
    ]);
    const { verdicts } = await verified(harness, { repair: true });
    expect(verdicts).toMatchObject([{ service: null, repair: { did: 'recomputed', left: [] } }]);
    expect(await verified(harness)).toMatchObject({ verdicts: [], totals: { differing: 0 } });
  });
});
