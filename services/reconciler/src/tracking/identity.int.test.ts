import { gunzipSync } from 'node:zlib';
import {
  createAcceptance,
  listActive,
  listSbomVulnerabilities,
  type BriefVulnerability,
  type SbomReference,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { TestService } from '../testing/service';
import { finding } from '../testing/findings';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler();
});
afterAll(() => harness?.stop());

async function briefsOf(sbom: SbomReference): Promise<BriefVulnerability[]> {
  const { sbom_id, service_id, seq, digest } = sbom;
  const request = { sbom_id, service_id, seq, digest };
  const { body, attachment } = await harness.bus.request(listSbomVulnerabilities, request);
  const records = JSON.parse(gunzipSync(attachment ?? '').toString('utf8')) as BriefVulnerability[];
  expect(body.count).toBe(records.length);
  return records;
}

function accept(service: TestService, vulnerability_id: string): Promise<unknown> {
  const scope = { project_id: service.project_id, service_id: null };
  return harness.bus.request(createAcceptance, {
    ...scope,
    vulnerability_id,
    reason: 'r',
    expires_at: null,
  });
}

describe('two alias groups that turn out to be one', () => {
  const apart = ['lodash@1.0.0 GHSA-1', 'lodash@1.0.0 PYSEC-1'];
  const batched = 'lodash@1.0.0 GHSA-1 PYSEC-1 CVE-1';

  async function merged() {
    const service = new TestService(harness);
    const digest = harness.newSet(...apart);
    const scan = await service.scanned(digest);
    const [older = '', younger = ''] = (await service.documents()).map(({ _id }) => _id);
    harness.setScan(digest, batched);
    await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
    return { service, digest, scan, older, younger };
  }

  test('keep the older id', async () => {
    const { service, scan, older, younger } = await merged();
    expect(await service.activeList()).toMatchObject([
      {
        id: older,
        cve_id: 'CVE-1',
        title: 'About CVE-1',
        aliases: expect.arrayContaining(['GHSA-1', 'PYSEC-1']),
      },
    ]);
    expect(await service.documents()).toMatchObject([
      { _id: older, status: 'open' },
      { _id: younger, status: 'merged', merged_into: older },
    ]);
    expect(await briefsOf(scan)).toMatchObject([
      {
        id: older,
        cve_id: 'CVE-1',
        title: 'About CVE-1',
        aliases: expect.arrayContaining(['GHSA-1', 'PYSEC-1']),
      },
    ]);
  });

  test('can be accepted through the younger id, which still resolves', async () => {
    const { service, older, younger } = await merged();
    const elsewhere = new TestService(harness, service.project_id);
    await elsewhere.scanned(harness.newSet('lodash-es@1.0.0 GHSA-7 CVE-1'));
    await accept(service, younger);
    expect(await service.activeList()).toEqual([]);
    expect(await elsewhere.activeList()).toEqual([]);
    await expect(accept(service, older)).rejects.toMatchObject({ code: 'acceptance_exists' });
  });

  test('stay accepted by an acceptance that was given for one of them', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(...apart);
    const scan = await service.scanned(digest);
    const [, younger] = await service.documents();
    await accept(service, younger?._id ?? '');
    expect(await service.activeList()).toHaveLength(1);
    harness.setScan(digest, batched);
    await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
    expect(await service.activeList()).toEqual([]);
  });

  test('and come apart again: the older id stays with its advisory, and each is accepted for itself', async () => {
    const { service, digest, scan, older } = await merged();
    harness.setScan(digest, ...apart);
    await harness.finish({ ...scan, lane: 'rescan', revision: 3 });
    const vulnerabilities = await service.activeList();
    expect(vulnerabilities).toHaveLength(2);
    expect(vulnerabilities.find(({ id }) => id === older)).toMatchObject({ cve_id: 'GHSA-1' });
    await accept(service, vulnerabilities.find(({ id }) => id !== older)?.id ?? '');
    expect(await service.activeList()).toMatchObject([{ id: older }]);
  });

  test('are merged by an upload that is the first to know of it', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(...apart);
    await service.scanned(digest);
    const [older] = await service.documents();
    harness.setScan(digest, batched);
    await service.scanned(harness.newSet('lodash@1.1.0 GHSA-1 PYSEC-1 CVE-1'));
    expect(await service.activeList()).toMatchObject([
      { id: older?._id, package_version: '1.1.0' },
    ]);
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
  });
});

describe('the vulnerabilities of one SBOM', () => {
  test('are shown with its own versions and the state that they have now', async () => {
    const service = new TestService(harness);
    const old = await service.scanned(
      harness.newSet('lodash@1.0.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2', 'vue@1.0.0 GHSA-3'),
    );
    const now = await service.scanned(
      harness.newSet('lodash@1.5.0 GHSA-1 CVE-1', 'vue@1.0.0 GHSA-3'),
    );
    const vue = (await service.activeList()).find(({ package_name }) => package_name === 'vue');
    await accept(service, vue?.id ?? '');
    const states = (records: BriefVulnerability[]): Record<string, string> =>
      Object.fromEntries(
        records.map((one) => [`${one.package_name}@${one.package_version}`, one.status]),
      );
    const [oldBriefs, nowBriefs] = [await briefsOf(old), await briefsOf(now)];
    expect(states(oldBriefs)).toEqual({
      'lodash@1.0.0': 'open',
      'axios@0.1.0': 'fixed',
      'vue@1.0.0': 'accepted',
    });
    expect(states(nowBriefs)).toEqual({ 'lodash@1.5.0': 'open', 'vue@1.0.0': 'accepted' });
    const idOf = (records: BriefVulnerability[]) =>
      records.find(({ package_name }) => package_name === 'lodash')?.id;
    expect(idOf(oldBriefs)).toBe(idOf(nowBriefs));
    expect(oldBriefs[0]).toEqual({
      id: idOf(oldBriefs),
      cve_id: 'CVE-1',
      title: 'About CVE-1',
      aliases: ['GHSA-1', 'CVE-1'],
      detected_at: null,
      severity: 'high',
      cvss_score: 7.5,
      package_name: 'lodash',
      package_version: '1.0.0',
      purl: 'pkg:npm/lodash@1.0.0',
      package_versions: ['1.0.0'],
      fixed_versions: [],
      status: 'open',
      decision: null,
      is_direct: false,
      is_root: false,
      advisory_ids: ['GHSA-1'],
      epss_score: null,
      epss_percentile: null,
      kev: null,
      risk: 30,
    });
  });

  test('are one for each vulnerability, in however many versions, as the lists count', async () => {
    const service = new TestService(harness);
    const scan = await service.scanned(
      harness.newSet('lodash@1.10.0 GHSA-1', 'lodash@1.9.0 GHSA-1', 'lodash@1.9.0 GHSA-2'),
    );
    const open = await service.activeList();
    const briefs = await briefsOf(scan);
    expect(briefs.map(({ id }) => id).sort()).toEqual(open.map(({ id }) => id).sort());
    const several = { package_version: '1.9.0', package_versions: ['1.9.0', '1.10.0'] };
    expect(open.find(({ cve_id }) => cve_id === 'GHSA-1')).toMatchObject(several);
    expect(briefs.find(({ cve_id }) => cve_id === 'GHSA-1')).toMatchObject({
      ...several,
      occurrences: [{ package_version: '1.9.0' }, { package_version: '1.10.0' }],
    });
  });

  test('are not returned while it is not reconciled, nor once it is removed: it must not look clean', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet('a@1.0.0 GHSA-1');
    await service.scanned(digest);
    const next = service.upload(digest);
    await expect(briefsOf(next)).rejects.toMatchObject({ code: 'service_unavailable' });
    await harness.finish(next);
    expect(await briefsOf(next)).toHaveLength(1);
    await service.remove(next);
    await expect(briefsOf(next)).rejects.toMatchObject({ code: 'sbom_not_found' });
  });
});

test('a result whose details could not all be stored is not in the lists', async () => {
  const service = new TestService(harness);
  const known = finding('a@1.0.0 GHSA-1', { title: 'known' });
  await service.scanned(harness.newSet(known));
  await harness.stopProcesses();
  await harness.startProcess();
  const refused = { validator: { title: { $ne: 'refused' } } };
  await harness.db.command({ collMod: 'vulnerability_details', ...refused });
  const next = service.upload(
    harness.newSet(known, finding('b@1.0.0 GHSA-2', { title: 'refused' }), 'c@1.0.0 GHSA-3'),
  );
  let requested = 0;
  harness.beforeScanResponse = async (digest) => {
    if (digest === next.digest) requested += 1;
  };
  const finished = harness.finish(next);
  await eventually(() => requested >= 2, { what: 'the scan is read again' });
  await harness.db.command({ collMod: 'vulnerability_details', validator: {} });
  await finished;
  const { body } = await harness.bus.request(listActive, {
    project_id: service.project_id,
    page: 1,
    per_page: 50,
    sort: 'cve_id',
    order: 'asc',
  });
  expect(body).toMatchObject({ total: 3, items: [{}, {}, {}] });
});
