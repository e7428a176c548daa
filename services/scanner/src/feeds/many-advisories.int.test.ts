import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf } from '../testing/use-case-deps';
import { loadFeed } from './load-feed';
import { scanComponentSet } from '../matching/scan-component-set';
import { applyChanges } from '../rescans/apply-changes';

let databases: TestDatabases;
let db: Db;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('many_advisories');
});
afterAll(() => databases?.stop());

/** More than one round trip brings, of one package. */
const count = 1200;

function editionOf(modified: string, fixedOf: (n: number) => string): object[] {
  return Array.from({ length: count }, (_one, n) =>
    osvJson('npm', { id: `KERNEL-${n}`, name: 'kernel', modified, fixed: fixedOf(n) }),
  );
}

test('a package with more advisories than one round trip brings is judged by each of them once', async () => {
  const deps = makeUseCaseDeps(db, {
    one: ['pkg:npm/kernel@5.0.0'],
    two: ['pkg:npm/kernel@5.0.1'],
  });
  const matchesOf = async (version: string): Promise<string[]> => {
    const found = await db.collection('package_versions').findOne({ name: 'kernel', version });
    return (found?.['matches'] as { id: string }[]).map(({ id }) => id);
  };
  const all = Array.from({ length: count }, (_one, n) => `KERNEL-${n}`).sort();
  const first = editionOf('2026-01-01T00:00:00Z', () => '6.0.0');
  await loadFeed(deps, sourceOf('npm', first, { edition: '1' }), never);
  await scanComponentSet(deps, 'one');
  expect(await matchesOf('5.0.0')).toEqual(all);

  // While the next edition is on its way, some advisories are read from what it supersedes.
  const second = editionOf('2026-02-01T00:00:00Z', (n) => (n % 2 === 0 ? '4.0.0' : '6.0.0'));
  const beforeFile = async (index: number): Promise<void> => {
    if (index !== 700) return;
    await scanComponentSet(deps, 'two');
    expect(await matchesOf('5.0.1')).toEqual(all);
  };
  await loadFeed(deps, sourceOf('npm', second, { edition: '2', beforeFile }), never);
  await applyChanges(deps, never);
  const odd = all.filter((id) => Number(id.split('-')[1]) % 2 === 1);
  expect([await matchesOf('5.0.0'), await matchesOf('5.0.1')]).toEqual([odd, odd]);
});
