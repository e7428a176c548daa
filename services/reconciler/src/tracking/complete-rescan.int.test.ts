import { AppError, rescanRequested, type SbomReference } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { servicesOver, TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterAll(() => harness?.stop());
afterEach(() => {
  harness.beforeScanResponse = async () => {};
});

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const vue = 'vue@1.0.0 GHSA-9';

async function publishRescan(scans: SbomReference[], revision: number, packages: string[] | null) {
  const sboms = scans.map(
    ({ lane: _lane, revision: _revision, attempt: _attempt, ...sbom }) => sbom,
  );
  await harness.bus.publish(rescanRequested, { sboms, revision, packages });
}

function isReported({ sbom_id }: SbomReference, revision: number): boolean {
  return harness.packageRevisions.some(
    (one) => one.revision === revision && one.sbom_ids.includes(sbom_id),
  );
}

async function completeRescan(scans: SbomReference[], revision: number, packages: string[] | null) {
  await publishRescan(scans, revision, packages);
  await eventually(() => scans.every((scan) => isReported(scan, revision)), {
    what: `${scans.length} lines are up to date`,
  });
}

describe('services whose findings an advisory change moved', () => {
  test('are brought together to what one recomputation of each gives', async () => {
    const sets = [harness.newSet(lodash, axios), harness.newSet(axios), harness.newSet(lodash)];
    const { services, newest } = await servicesOver(harness, sets, 40);
    for (const digest of sets) harness.revisions.set(digest, 4);
    harness.setScan(sets[0] ?? '', axios, vue);
    harness.setScan(sets[2] ?? '', vue);
    // Some services get another upload at the same moment.
    const uploads = services.slice(0, 10).map((service) => service.upload(sets[1] ?? ''));
    await Promise.all([
      completeRescan(newest, 4, ['npm|lodash', 'npm|vue']),
      harness.finish(...uploads),
    ]);
    for (const service of services) {
      const [stored, recomputed] = await service.storedAndRecomputed();
      expect(stored).toEqual(recomputed);
      expect(Object.keys(await service.states())).toContain('vue GHSA-9');
    }
  });

  test('keep the vulnerabilities of the packages that it does not concern, which are not written', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash, axios);
    const scan = await service.scanned(digest);
    const before = await service.documents();
    harness.revisions.set(digest, 2);
    harness.setScan(digest, vue, 'axios@0.1.0 GHSA-2 CVE-77');
    await completeRescan([scan], 2, ['npm|lodash', 'npm|vue']);
    const after = await service.documents();
    const axiosIn = (documents: typeof before) =>
      documents.filter(({ package_key }) => package_key === 'npm|axios');
    expect(axiosIn(after)).toEqual(axiosIn(before));
    expect(await service.states()).toEqual({
      '- GHSA-1': 'vanished',
      'axios GHSA-2': 'open',
      'vue GHSA-9': 'open',
    });
    // What is pending of the other package is still brought in, though it is of the same revision.
    await publishRescan([scan], 2, null);
    await eventually(() => harness.packageRevisions.some(({ packages }) => packages === null), {
      what: 'the whole service is up to date',
    });
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
  });

  test('are recomputed as a whole if the SBOM has no version yet', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(lodash, axios));
    const scan = service.upload(harness.newSet(vue));
    await completeRescan([scan], 1, ['npm|vue']);
    expect(await service.states()).toEqual({
      'lodash GHSA-1': 'fixed',
      'axios GHSA-2': 'fixed',
      'vue GHSA-9': 'open',
    });
    await harness.finish(scan);
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
  });

  test('wait for none that fails, and that one is tried again', async () => {
    const [good, bad] = [new TestService(harness), new TestService(harness)];
    const [fine, broken] = [harness.newSet(lodash), harness.newSet(lodash)];
    const scans = [await good.scanned(fine), await bad.scanned(broken)] as const;
    for (const digest of [fine, broken]) {
      harness.revisions.set(digest, 3);
      harness.setScan(digest, vue);
    }
    let isBroken = true;
    harness.beforeScanResponse = async (digest) => {
      if (isBroken && digest === broken) throw new AppError('service_unavailable');
    };
    const packages = ['npm|lodash', 'npm|vue'];
    await publishRescan([...scans], 3, packages);
    await eventually(() => isReported(scans[0], 3), { what: 'the good one is done' });
    expect(isReported(scans[1], 3)).toBe(false);
    expect(await good.states()).toMatchObject({ 'vue GHSA-9': 'open' });
    isBroken = false;
    await eventually(() => isReported(scans[1], 3), { what: 'so is the other one' });
    expect(await bad.states()).toMatchObject({ 'vue GHSA-9': 'open' });
  });

  test('restore nothing of what was deleted meanwhile', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(lodash);
    const [first, second] = [await service.scanned(digest), await service.scanned(digest)];
    await service.remove(second);
    harness.revisions.set(digest, 2);
    harness.setScan(digest, vue);
    await publishRescan([second], 2, ['npm|lodash', 'npm|vue']);
    await completeRescan([first], 2, ['npm|lodash', 'npm|vue']);
    expect(await service.activeList()).toMatchObject([
      { package_name: 'vue', sbom_id: first.sbom_id },
    ]);
    expect(isReported(second, 2)).toBe(false);
  });
});
