import type { SbomReference } from '@bomtrail/messages';
import { accept } from '../testing/deletion-helpers';
import { fakeCatalog, verified, type FakeCatalog } from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import {
  axios,
  lodash,
  notifiedService,
  vue,
  type NotifiedService,
} from '../testing/notified-service';

let harness: TestReconciler;
let catalog: FakeCatalog;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
  catalog = fakeCatalog(harness);
});
afterEach(() => {
  catalog.dataStatus = { applied: true, rescans_requested: true };
});
afterAll(() => harness?.stop());

describe('During a check,', () => {
  /** A service whose findings have changed, which the vulnerabilities do not show yet. */
  async function movedService(): Promise<
    NotifiedService & { formatVulnerabilities: () => Promise<void> }
  > {
    const reported = await notifiedService(harness, catalog);
    const newest = reported.uploads[2] as SbomReference;
    harness.setScan(newest.digest, lodash, axios);
    harness.revisions.set(newest.digest, 3);
    return {
      ...reported,
      async formatVulnerabilities() {
        const revision = Math.max(...harness.revisions.values());
        await harness.finish({ ...newest, lane: 'rescan', revision });
      },
    };
  }
  const undecided = { totals: { differing: 0, undecided: 1 } };

  test.each([
    ['an advisory change that is being evaluated', { applied: false, rescans_requested: true }],
    ['one whose re-scans are being requested', { applied: true, rescans_requested: false }],
  ])('%s is no difference', async (_what, data_status) => {
    const { service, formatVulnerabilities } = await movedService();
    catalog.dataStatus = data_status;
    expect(await verified(harness, { service, patienceMs: 0 })).toMatchObject(undecided);
    catalog.dataStatus = { applied: true, rescans_requested: true };
    expect(await verified(harness, { service })).toMatchObject({ totals: { differing: 1 } });
    await formatVulnerabilities();
    expect(await verified(harness, { service })).toMatchObject({ verdicts: [] });
  });

  test('waits for a pending re-scan', async () => {
    const { service, uploads, formatVulnerabilities } = await movedService();
    const { sbom_id = '' } = uploads[2] ?? {};
    catalog.pendingRescans.add(sbom_id);
    expect(await verified(harness, { service, patienceMs: 0 })).toMatchObject(undecided);
    const [{ verdicts }] = await Promise.all([
      verified(harness, { service }),
      formatVulnerabilities().then(() => catalog.pendingRescans.delete(sbom_id)),
    ]);
    expect(verdicts).toEqual([]);
  });

  test('a delete is no difference, whether it is half done or the service goes', async () => {
    const { service, uploads } = await notifiedService(harness, catalog);
    const sbom = service.sboms.find(({ sbom_id }) => sbom_id === uploads[2]?.sbom_id);
    if (sbom) sbom.deleting = true;
    expect(await verified(harness, { service })).toMatchObject({ verdicts: [] });
    await service.remove(uploads[2] as SbomReference);
    expect(await verified(harness, { service })).toMatchObject({ verdicts: [] });
    const contained = catalog.services.get(service.service_id);
    catalog.services.delete(service.service_id);
    catalog.deleting.add(service.service_id);
    expect(await verified(harness, { service, patienceMs: 0 })).toMatchObject(undecided);
    if (contained) catalog.services.set(service.service_id, contained);
  });

  test('uploads, re-scans, deletes and acceptances beside it bring no false report', async () => {
    const services = Array.from({ length: 6 }, () => catalog.newService());
    const sets = [
      harness.newSet(lodash, axios),
      harness.newSet(lodash),
      harness.newSet(axios, vue),
    ];
    for (const digest of sets) harness.revisions.set(digest, 2);
    let busy = true;
    const work = services.map(async (service, n) => {
      const uploads: SbomReference[] = [];
      for (let turn = 0; turn < 8; turn++) {
        uploads.push(await service.scanned(sets[(turn + n) % sets.length] ?? ''));
        if (turn % 4 === 2) await accept(harness, service, { service: true }).catch(() => {});
        if (turn % 4 === 3) await service.remove(uploads.splice(1, 1)[0] as SbomReference);
      }
    });
    const ended = Promise.all(work).finally(() => (busy = false));
    let checks = 0;
    while (busy) {
      for (const service of services)
        expect((await verified(harness, { service })).verdicts).toEqual([]);
      checks += 1;
    }
    await ended;
    expect(checks).toBeGreaterThan(0);
    for (const service of services)
      expect((await verified(harness, { service })).verdicts).toEqual([]);
  });
});
