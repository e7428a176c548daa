import { setTimeout as delay } from 'node:timers/promises';
import { AppError, removeSbom, scanCompleted, type SbomReference } from '@bomtrail/messages';
import { TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let world: TestReconciler;

beforeAll(async () => {
  world = await startReconciler({ processes: 2 });
});
afterEach(() => {
  world.beforeScanAnswer = async () => {};
});
afterAll(() => world?.stop());

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1';

describe('an SBOM that is removed', () => {
  test('takes along what only it held, and what comes back later has its old id', async () => {
    const line = new TestLine(world);
    const both = world.newSet(lodash, axios);
    await line.scanned(world.newSet(lodash));
    const second = await line.scanned(both);
    const [, row] = await line.documents();
    await line.remove(second);
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'open', '- GHSA-2': 'vanished' });
    expect((await line.listed()).map(({ package_name }) => package_name)).toEqual(['lodash']);
    const third = await line.scanned(both);
    expect(await line.listed()).toMatchObject([
      { package_name: 'axios', id: row?._id, first_seen_at: third.created_at },
      { package_name: 'lodash' },
    ]);
  });

  test('leaves what was before it was uploaded, in new episodes', async () => {
    const line = new TestLine(world);
    // What was away is open again, though its log does not say so any more.
    const documents = async () =>
      (await line.documents()).map(({ episodes: _episodes, ...row }) => row);
    await line.scanned(world.newSet(lodash, axios));
    await line.scanned(world.newSet(axios));
    const before = await documents();
    const list = await line.listed();
    await line.remove(await line.scanned(world.newSet(lodash, 'vue@1.0.0 GHSA-3')));
    expect((await documents()).slice(0, before.length)).toEqual(before);
    expect(await line.listed()).toEqual(list);
  });

  test('and was the only one leaves an empty list, from which the next one starts', async () => {
    const line = new TestLine(world);
    const digest = world.newSet(lodash);
    await line.remove(await line.scanned(digest));
    expect(await line.listed()).toEqual([]);
    const next = await line.scanned(digest);
    expect(await line.listed()).toMatchObject([
      { sbom_id: next.sbom_id, first_seen_at: next.created_at },
    ]);
  });

  test('does not come back when its scan ends late', async () => {
    const line = new TestLine(world);
    await line.scanned(world.newSet(lodash));
    const late = line.upload(world.newSet(axios));
    await line.remove(late);
    await world.bus.publish(scanCompleted, late);
    await world.settled();
    await line.scanned(world.newSet(lodash));
    expect(await line.states()).toEqual({ 'lodash GHSA-1': 'open' });
    expect(world.reconciled.some(({ sbom_id }) => sbom_id === late.sbom_id)).toBe(false);
  });

  test('does not come back when it is removed while its scan is read', async () => {
    const line = new TestLine(world);
    const digest = world.newSet(lodash);
    const scan = line.upload(digest);
    const removals: Promise<void>[] = [];
    world.beforeScanAnswer = async (asked) => {
      if (asked !== digest) return;
      if (removals.length === 0) removals.push(line.remove(scan));
      // Where the same process answers both, the removal takes its turn after the scan.
      await Promise.race([...removals, delay(500)]);
    };
    await world.bus.publish(scanCompleted, scan);
    await world.settled();
    await line.scanned(world.newSet(axios));
    expect(removals).toHaveLength(1);
    await Promise.all(removals);
    expect((await line.listed()).map(({ package_name }) => package_name)).toEqual(['axios']);
  });

  test('can be removed again, which changes nothing', async () => {
    const line = new TestLine(world);
    await line.scanned(world.newSet(lodash));
    const scan = await line.scanned(world.newSet(axios));
    await line.remove(scan);
    const before = await line.documents();
    await Promise.all([line.remove(scan), line.remove(scan)]);
    expect(await line.documents()).toEqual(before);
  });

  test('stays while the scanner cannot say what the others hold', async () => {
    const line = new TestLine(world);
    await line.scanned(world.newSet(lodash));
    const scan = await line.scanned(world.newSet(axios));
    const before = await line.documents();
    world.beforeScanAnswer = async () => {
      throw new AppError('service_unavailable');
    };
    const { line_id, project_id } = line;
    await expect(
      world.bus.request(removeSbom, { sbom_id: scan.sbom_id, line_id, project_id }),
    ).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await line.documents()).toEqual(before);
  });
});

describe('several SBOMs of a line that are removed at once', () => {
  test('leave what a recomputation gives, and one scan is read for what is shown now', async () => {
    const line = new TestLine(world);
    const [bumped, both] = [world.newSet('lodash@1.1.0 GHSA-1'), world.newSet(lodash, axios)];
    const sets = [both, world.newSet(), world.newSet(lodash), bumped, both, world.newSet(lodash)];
    const scans: SbomReference[] = [];
    for (const set of sets) scans.push(await line.scanned(set));
    const read: string[] = [];
    world.beforeScanAnswer = async (digest) => void read.push(digest);
    const never = line.upload(world.newSet(axios));
    await line.removeAll([...[0, 1, 4, 5].flatMap((n) => scans[n] ?? []), never]);
    expect(read).toEqual([bumped]);
    world.beforeScanAnswer = async () => {};
    const [stored, recomputed] = await line.storedAndRecomputed();
    expect(stored).toEqual(recomputed);
    expect(await line.listed()).toMatchObject([
      { package_version: '1.1.0', sbom_id: scans[3]?.sbom_id, first_seen_at: scans[2]?.created_at },
    ]);
    const before = await line.documents();
    await line.removeAll(scans.slice(0, 2));
    expect(await line.documents()).toEqual(before);
  });

  test('of which an advisory change is owed take the line to what the scanner says now', async () => {
    const line = new TestLine(world);
    const kept = world.newSet(lodash);
    await line.scanned(kept);
    const last = await line.scanned(world.newSet(lodash, 'vue@1.0.0 GHSA-3'));
    world.setScan(kept, axios);
    await line.remove(last, false);
    expect((await line.listed()).map(({ package_name }) => package_name)).toEqual(['axios']);
  });
});
