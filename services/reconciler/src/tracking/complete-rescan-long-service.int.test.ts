import { rescanRequested, type SbomReference } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler();
});
afterAll(() => harness?.stop());

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const vue = 'vue@1.0.0 GHSA-9';
const versions = 24;
const setsPerResponse = 10;

/** A service whose versions have a component set each, about which the advisories are changed to `revision`. */
async function changedService(
  revision: number,
): Promise<{ service: TestService; scans: SbomReference[] }> {
  const service = new TestService(harness);
  const scans: SbomReference[] = [];
  for (let version = 0; version < versions; version += 1) {
    const also = version % 5 === 0 ? [] : [lodash];
    scans.push(await service.scanned(harness.newSet(axios, ...also)));
  }
  for (const [version, { digest }] of scans.entries()) {
    harness.revisions.set(digest, revision);
    harness.setScan(digest, axios, ...(version % 7 === 0 ? [] : [vue]));
  }
  harness.findingsRequests.length = 0;
  harness.packageRevisions.length = 0;
  return { service, scans };
}

async function publishRescan(
  scan: SbomReference,
  revision: number,
  packages: string[],
): Promise<void> {
  const { lane: _lane, revision: _revision, attempt: _attempt, ...sbom } = scan;
  await harness.bus.publish(rescanRequested, { sboms: [sbom], revision, packages });
}

async function isReported(scans: readonly SbomReference[], revision: number): Promise<void> {
  const reported = (scan: SbomReference): boolean =>
    harness.packageRevisions.some(
      (one) => one.revision === revision && one.sbom_ids.includes(scan.sbom_id),
    );
  await eventually(() => scans.every(reported), {
    what: `${scans.length} portions are worked off`,
  });
}

function requestedSets(): number {
  return harness.findingsRequests.reduce((sum, { digests }) => sum + digests.length, 0);
}

const packages = ['npm|lodash', 'npm|vue'];

describe('a service of many versions that receives one advisory change in many messages', () => {
  test('is read once, in few requests, and becomes what one recomputation gives', async () => {
    harness.setsPerResponse = setsPerResponse;
    const { service, scans } = await changedService(5);
    const portions = [...scans].reverse();
    await Promise.all(portions.map((scan) => publishRescan(scan, 5, packages)));
    await isReported(scans, 5);
    expect(requestedSets()).toBe(versions);
    expect(harness.findingsRequests.length).toBeLessThanOrEqual(
      Math.ceil(versions / setsPerResponse) + 1,
    );
    expect(harness.findingsRequests.every((one) => one.packages?.join() === packages.join())).toBe(
      true,
    );
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
    expect(Object.keys(await service.states())).toContain('vue GHSA-9');
  });

  test('is read for the packages that only a later portion names', async () => {
    const { service, scans } = await changedService(5);
    const [first, second, third] = scans as [SbomReference, SbomReference, SbomReference];
    await publishRescan(first, 5, ['npm|vue']);
    await isReported([first], 5);
    expect(Object.keys(await service.states())).toContain('lodash GHSA-1');
    await publishRescan(second, 5, ['npm|lodash']);
    await isReported([second], 5);
    const requested = requestedSets();
    expect(requested).toBe(2 * versions);
    await publishRescan(third, 5, packages);
    await isReported([third], 5);
    expect(requestedSets()).toBe(requested);
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
  });

  test('takes uploads in between, and is read again when one of them knew less', async () => {
    const { service, scans } = await changedService(5);
    const [first, second, third] = scans as [SbomReference, SbomReference, SbomReference];
    await publishRescan(first, 5, packages);
    const current = harness.newSet(axios, vue);
    harness.revisions.set(current, 5);
    await Promise.all([isReported([first], 5), service.scanned(current)]);
    await publishRescan(second, 5, packages);
    await isReported([second], 5);
    const requested = requestedSets();
    expect(requested).toBeLessThanOrEqual(versions + 1);

    const older = harness.newSet(axios, lodash);
    await service.scanned(older);
    harness.revisions.set(older, 5);
    harness.setScan(older, axios, vue);
    await publishRescan(third, 5, packages);
    await isReported([third], 5);
    expect(requestedSets()).toBeGreaterThan(requested);
    const [stored, recomputed] = await service.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
  });

  test('is read again for the next change, also when that is reported first', async () => {
    const { service, scans } = await changedService(5);
    const [first, second] = scans as [SbomReference, SbomReference];
    for (const { digest } of scans) {
      harness.revisions.set(digest, 6);
      harness.setScan(digest, lodash);
    }
    await publishRescan(second, 6, packages);
    await isReported([second], 6);
    await publishRescan(first, 5, packages);
    await isReported([first], 5);
    expect(requestedSets()).toBe(versions);
    for (const { digest } of scans) {
      harness.revisions.set(digest, 7);
      harness.setScan(digest, vue);
    }
    await publishRescan(first, 7, packages);
    await isReported([first], 7);
    expect(requestedSets()).toBe(2 * versions);
    const states = await service.states();
    expect(states['vue GHSA-9']).toBe('open');
    expect(states['lodash GHSA-1'] ?? 'vanished').toBe('vanished');
  });
});
