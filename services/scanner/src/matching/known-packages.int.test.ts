import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf } from '../testing/use-case-deps';
import { loadFeed } from '../feeds/load-feed';
import { scanComponentSet } from './scan-component-set';
import { applyChanges } from '../rescans/apply-changes';

let databases: TestDatabases;
let db: Db;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('known');
});
afterAll(() => databases?.stop());

const rounds = 4;

test('uploads of known packages while other ones change again and again evaluate nothing', async () => {
  const stable = ['a', 'b', 'c'].map((name) => `pkg:npm/stable-${name}@1.0.0`);
  const moving = 'pkg:npm/moving@1.0.0';
  const components: Record<string, string[]> = { first: [...stable, moving] };
  const deps = makeUseCaseDeps(db, components);
  const evaluated: number[] = [];
  deps.countEvaluated = (count) => void (count > 0 && evaluated.push(count));
  const records = (round: number) => [
    osvJson('npm', { id: 'ADV-STABLE', name: 'stable-a' }),
    osvJson('npm', {
      id: 'ADV-MOVING',
      name: 'moving',
      summary: `round ${round}`,
      modified: `2026-01-0${round + 1}T00:00:00Z`,
    }),
  ];
  await loadFeed(deps, sourceOf('npm', records(0), { edition: '0' }), never);
  await scanComponentSet(deps, 'first');
  expect(evaluated.splice(0)).toEqual([stable.length + 1]);

  const upload = async (digest: string): Promise<void> => {
    components[digest] = stable;
    await scanComponentSet(deps, digest);
  };
  for (let round = 1; round <= rounds; round += 1) {
    const beforeFile = (index: number) => upload(`${round}-within-${index}`);
    const source = sourceOf('npm', records(round), { edition: `${round}`, beforeFile });
    await loadFeed(deps, source, never);
    await upload(`${round}-in-force`);
    await applyChanges(deps, never);
    await upload(`${round}-settled`);
    // The one version of the package that changed, by the settling.
    expect(evaluated.splice(0)).toEqual([1]);
  }
});
