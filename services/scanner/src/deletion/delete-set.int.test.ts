import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf } from '../testing/use-case-deps';
import { loadFeed } from '../feeds/load-feed';
import { evaluateAgain, scanComponentSet } from '../matching/scan-component-set';

let databases: TestDatabases;
let db: Db;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('deleteScope');
  const records = [osvJson('npm', { id: 'ADV-1', name: 'left' })];
  await loadFeed(makeUseCaseDeps(db, {}), sourceOf('npm', records, { edition: '1' }), never);
});
afterAll(() => databases?.stop());

/** A set that ingest lost is uploaded again, and scanned, at one call of its being forgotten. Gives the calls. */
async function uploadWithin(at: number, step: 'stored' | 'scanned'): Promise<number> {
  const digest = `${step}-${at}`;
  const purls = ['pkg:npm/left@1.0.0'];
  const components: Record<string, string[]> = { [digest]: purls };
  const other = makeUseCaseDeps(db, components);
  await scanComponentSet(other, digest);
  delete components[digest];

  let calls = 0;
  const forgetting = makeUseCaseDeps(db, components, async () => {
    calls += 1;
    if (calls !== at) return;
    components[digest] = purls;
    if (step === 'scanned') await scanComponentSet(other, digest);
  });
  await evaluateAgain(forgetting, digest, 'change');
  const used = calls;
  components[digest] = purls;
  if (step === 'stored' || used < at) await scanComponentSet(other, digest);

  const [version] = await other.versions.listByPackages(['npm|left']).toArray();
  expect({ digest, data_status: (await other.sets.readEvaluation(digest)).is }).toEqual({
    digest,
    data_status: 'current',
  });
  expect(await other.sets.listSetsContaining([version?._id ?? ''])).toContain(digest);
  return used;
}

test.each(['stored', 'scanned'] as const)(
  'a set that is %s again during its deletion is complete',
  async (step) => {
    const calls = await uploadWithin(1000, step);
    expect(calls).toBeGreaterThanOrEqual(5);
    for (let at = 1; at <= calls + 1; at += 1) await uploadWithin(at, step);
  },
);

test('a set that ingest no longer has is deleted as a whole', async () => {
  const components: Record<string, string[]> = { lost: ['pkg:npm/left@1.0.0'] };
  const deps = makeUseCaseDeps(db, components);
  await scanComponentSet(deps, 'lost');
  delete components['lost'];
  await evaluateAgain(deps, 'lost', 'change');
  for (const collection of ['component_sets', 'component_set_members'])
    expect(
      await db
        .collection<{ _id: string; digest?: string }>(collection)
        .countDocuments({ $or: [{ _id: 'lost' }, { digest: 'lost' }] }),
    ).toBe(0);
});
