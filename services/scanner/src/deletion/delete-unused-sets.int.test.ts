import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { createReleasedSetStore } from './store/released-set-store';
import { createWaitingScanStore } from '../feeds/store/waiting-scan-store';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf } from '../testing/use-case-deps';
import { deleteUnusedSets, markUnusedSets, type DeleteUnusedSetsDeps } from './delete-unused-sets';
import { loadFeed } from '../feeds/load-feed';
import { scanComponentSet } from '../matching/scan-component-set';

let databases: TestDatabases;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
});
afterAll(() => databases?.stop());

/** A database of its own with an advisory, and a process beside an ingest that holds `components`. */
async function aScanner(components: Record<string, readonly string[]>) {
  const db = await databases.open(randomUUID().slice(0, 8));
  const records = [osvJson('npm', { id: 'ADV-1', name: 'left' })];
  await loadFeed(makeUseCaseDeps(db, {}), sourceOf('npm', records, { edition: '1' }), never);
  const process = (beforeCall: () => Promise<void> = async () => {}): DeleteUnusedSetsDeps => ({
    ...makeUseCaseDeps(db, components, beforeCall),
    released: createReleasedSetStore(db),
    waiting: createWaitingScanStore(db),
    graceMs: -1,
  });
  return { db, process };
}

const collections = [
  ...['component_sets', 'component_set_members', 'component_set_matches', 'component_names'],
  ...['waiting_scans', 'released_sets'],
];

/** How many documents there are of what belongs to sets. */
async function stored(db: Db): Promise<Record<string, number>> {
  const counts = collections.map(
    async (name) => [name, await db.collection(name).countDocuments()] as const,
  );
  return Object.fromEntries(await Promise.all(counts));
}

function waitingScan(digest: string) {
  const scan = {
    sbom_id: randomUUID(),
    project_id: randomUUID(),
    service_id: randomUUID(),
    seq: 1,
    digest,
    created_at: new Date().toISOString(),
    revision: 0,
    attempt: 0,
  };
  return { scan: { ...scan, lane: 'upload' as const }, ecosystems: ['npm'] };
}

const purls = ['pkg:npm/left@1.0.0', 'no purl of its own'];

test('the data of a set that ingest deleted is deleted, except what other sets share', async () => {
  const components: Record<string, readonly string[]> = {
    used: purls,
    gone: [...purls, 'nowhere else'],
  };
  const { db, process } = await aScanner(components);
  const deps = process();
  await scanComponentSet(deps, 'used');
  const before = await stored(db);
  await scanComponentSet(deps, 'gone');
  await deps.waiting.park(waitingScan('gone'));
  expect(await stored(db)).not.toEqual(before);

  delete components['gone'];
  await deps.released.add(['gone', 'used'], new Date());
  await deleteUnusedSets({ ...deps, graceMs: 60_000 });
  expect((await stored(db))['component_sets']).toBe(2);
  await deleteUnusedSets(deps);
  await markUnusedSets(deps);
  await deleteUnusedSets(deps);
  expect(await stored(db)).toEqual(before);
  expect((await deps.sets.readEvaluation('used')).is).toBe('current');
});

test('a set that was not released, and the remains of a late scan, are found', async () => {
  const components: Record<string, readonly string[]> = { gone: purls };
  const { db, process } = await aScanner(components);
  const deps = process();
  const before = await stored(db);
  await scanComponentSet(deps, 'gone');
  await deps.sets.addMembers('half', ['some version']);
  delete components['gone'];
  for (let round = 0; round < 3; round += 1) {
    await markUnusedSets(deps);
    await deleteUnusedSets(deps);
  }
  expect(await stored(db)).toEqual(before);
});

test('whatever step the process dies at, the next sweeps leave nothing', async () => {
  const components: Record<string, readonly string[]> = {};
  const { db, process } = await aScanner(components);
  const before = await stored(db);
  let calls = 0;
  for (let dies = 1; dies <= calls + 1; dies += 1) {
    components['gone'] = purls;
    await scanComponentSet(process(), 'gone');
    delete components['gone'];
    await process().released.add(['gone'], new Date());
    let call = 0;
    const dying = process(async () => {
      call += 1;
      if (call === dies) throw new Error('The process died.');
    });
    await deleteUnusedSets(dying).catch(() => 0);
    calls = Math.max(calls, call);
    const next = process();
    await deleteUnusedSets(next);
    await markUnusedSets(next);
    await deleteUnusedSets(next);
    expect([dies, await stored(db)]).toEqual([dies, before]);
  }
  expect(calls).toBeGreaterThanOrEqual(4);
});

test('a set that is uploaded and scanned again at any moment is known with its names', async () => {
  const components: Record<string, readonly string[]> = {};
  const { db, process } = await aScanner(components);
  components['again'] = purls;
  await scanComponentSet(process(), 'again');
  const scanned = await stored(db);
  let calls = 1;
  for (let at = 1; at <= calls + 1; at += 1) {
    delete components['again'];
    await process().released.add(['again'], new Date());
    let call = 0;
    const other = process();
    const forgetting = process(async () => {
      call += 1;
      if (call !== at) return;
      components['again'] = purls;
      await scanComponentSet(other, 'again');
    });
    await deleteUnusedSets(forgetting);
    calls = Math.max(calls, call);
    components['again'] = purls;
    await scanComponentSet(other, 'again');
    await deleteUnusedSets(process());
    expect([at, (await other.sets.readEvaluation('again')).is]).toEqual([at, 'current']);
    expect([at, await stored(db)]).toEqual([at, scanned]);
  }
});

test('scans of a deleted project or service wait no more, nor do those that come late', async () => {
  const { process } = await aScanner({});
  const { waiting } = process();
  const one = waitingScan('a');
  const two = { ...one, scan: { ...waitingScan('a').scan, project_id: one.scan.project_id } };
  const other = waitingScan('a');
  for (const parked of [one, two, other]) await waiting.park(parked);
  const { project_id, service_id } = one.scan;
  await waiting.deleteScope({ project_id, service_id });
  await waiting.park(one);
  expect(await waiting.count()).toBe(2);
  await waiting.deleteScope({ project_id, service_id: null });
  await waiting.park(two);
  expect((await waiting.list().toArray()).map(({ scan }) => scan)).toEqual([other.scan]);
});
