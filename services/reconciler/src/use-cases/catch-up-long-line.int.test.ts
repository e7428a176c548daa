import { sbomsOutdated, type SbomReference } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let world: TestReconciler;

beforeAll(async () => {
  world = await startReconciler();
});
afterAll(() => world?.stop());

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const vue = 'vue@1.0.0 GHSA-9';
const versions = 24;
const setsPerAnswer = 10;

/** A line whose versions have a component set each, about which the advisories are changed to `revision`. */
async function changedLine(revision: number): Promise<{ line: TestLine; scans: SbomReference[] }> {
  const line = new TestLine(world);
  const scans: SbomReference[] = [];
  for (let version = 0; version < versions; version += 1) {
    const also = version % 5 === 0 ? [] : [lodash];
    scans.push(await line.scanned(world.newSet(axios, ...also)));
  }
  for (const [version, { digest }] of scans.entries()) {
    world.revisions.set(digest, revision);
    world.setScan(digest, axios, ...(version % 7 === 0 ? [] : [vue]));
  }
  world.questions.length = 0;
  world.caughtUp.length = 0;
  return { line, scans };
}

async function tell(scan: SbomReference, revision: number, packages: string[]): Promise<void> {
  const { lane: _lane, revision: _revision, attempt: _attempt, ...sbom } = scan;
  await world.bus.publish(sbomsOutdated, { sboms: [sbom], revision, packages });
}

async function isTold(scans: readonly SbomReference[], revision: number): Promise<void> {
  const told = (scan: SbomReference): boolean =>
    world.caughtUp.some((one) => one.revision === revision && one.sbom_ids.includes(scan.sbom_id));
  await eventually(() => scans.every(told), {
    what: `${scans.length} portions are worked off`,
  });
}

function setsAskedFor(): number {
  return world.questions.reduce((sum, { digests }) => sum + digests.length, 0);
}

const packages = ['npm|lodash', 'npm|vue'];

describe('a line of many versions that hears of one advisory change in many portions', () => {
  test('is read once, in few questions, and becomes what one recomputation gives', async () => {
    world.setsPerAnswer = setsPerAnswer;
    const { line, scans } = await changedLine(5);
    const portions = [...scans].reverse();
    await Promise.all(portions.map((scan) => tell(scan, 5, packages)));
    await isTold(scans, 5);
    expect(setsAskedFor()).toBe(versions);
    expect(world.questions.length).toBeLessThanOrEqual(Math.ceil(versions / setsPerAnswer) + 1);
    expect(world.questions.every((one) => one.packages?.join() === packages.join())).toBe(true);
    const [stored, recomputed] = await line.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
    expect(Object.keys(await line.states())).toContain('vue GHSA-9');
  });

  test('is read for the packages that only a later portion names', async () => {
    const { line, scans } = await changedLine(5);
    const [first, second, third] = scans as [SbomReference, SbomReference, SbomReference];
    await tell(first, 5, ['npm|vue']);
    await isTold([first], 5);
    expect(Object.keys(await line.states())).toContain('lodash GHSA-1');
    await tell(second, 5, ['npm|lodash']);
    await isTold([second], 5);
    const asked = setsAskedFor();
    expect(asked).toBe(2 * versions);
    await tell(third, 5, packages);
    await isTold([third], 5);
    expect(setsAskedFor()).toBe(asked);
    const [stored, recomputed] = await line.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
  });

  test('takes uploads in between, and is read again when one of them knew less', async () => {
    const { line, scans } = await changedLine(5);
    const [first, second, third] = scans as [SbomReference, SbomReference, SbomReference];
    await tell(first, 5, packages);
    const current = world.newSet(axios, vue);
    world.revisions.set(current, 5);
    await Promise.all([isTold([first], 5), line.scanned(current)]);
    await tell(second, 5, packages);
    await isTold([second], 5);
    const asked = setsAskedFor();
    expect(asked).toBeLessThanOrEqual(versions + 1);

    const older = world.newSet(axios, lodash);
    await line.scanned(older);
    world.revisions.set(older, 5);
    world.setScan(older, axios, vue);
    await tell(third, 5, packages);
    await isTold([third], 5);
    expect(setsAskedFor()).toBeGreaterThan(asked);
    const [stored, recomputed] = await line.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
  });

  test('is read again for the next change, also when that is told first', async () => {
    const { line, scans } = await changedLine(5);
    const [first, second] = scans as [SbomReference, SbomReference];
    for (const { digest } of scans) {
      world.revisions.set(digest, 6);
      world.setScan(digest, lodash);
    }
    await tell(second, 6, packages);
    await isTold([second], 6);
    await tell(first, 5, packages);
    await isTold([first], 5);
    expect(setsAskedFor()).toBe(versions);
    for (const { digest } of scans) {
      world.revisions.set(digest, 7);
      world.setScan(digest, vue);
    }
    await tell(first, 7, packages);
    await isTold([first], 7);
    expect(setsAskedFor()).toBe(2 * versions);
    const states = await line.states();
    expect(states['vue GHSA-9']).toBe('open');
    expect(states['lodash GHSA-1'] ?? 'vanished').toBe('vanished');
  });
});
