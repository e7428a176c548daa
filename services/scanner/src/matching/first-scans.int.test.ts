import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf } from '../testing/use-case-deps';
import { loadFeed } from '../feeds/load-feed';
import { readFindings } from '../testing/read-findings';
import { applyChanges } from '../rescans/apply-changes';
import { scanComponentSet } from './scan-component-set';

let databases: TestDatabases;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
});
afterAll(() => databases?.stop());

const components = { d: ['pkg:npm/bad@1.0.0'] };

test('of two first scans around a change the earlier summary stays until the change tells its readers', async () => {
  const db = await databases.open('first-scans');
  const one = makeUseCaseDeps(db, components);
  const feedOf = (fixed: string, edition: string) => {
    const modified = `2026-0${edition}-01T00:00:00Z`;
    return sourceOf('npm', [osvJson('npm', { id: 'ADV', name: 'bad', fixed, modified })], {
      edition,
    });
  };
  await loadFeed(one, feedOf('0.5.0', '1'), never);
  const { revision: old } = await one.feed.read();

  const two = makeUseCaseDeps(db, components);
  const { versions } = two;
  let told = 0;
  // The second scan has read that the set is not evaluated, and the revision.
  two.versions = Object.assign(Object.create(versions) as typeof versions, {
    visit: async (...args: Parameters<typeof versions.visit>) => {
      if (told === 0) {
        told = await scanComponentSet(one, 'd');
        await loadFeed(one, feedOf('2.0.0', '2'), never);
      }
      return versions.visit(...args);
    },
  });
  expect(await scanComponentSet(two, 'd')).toBe(old);
  expect(told).toBe(old);
  expect(await readFindings(one, 'd')).toMatchObject({ revision: old, findings: [] });

  await applyChanges(one, never);
  const { revision } = await one.feed.read();
  expect(revision).toBe(old + 1);
  const set = await db.collection<{ _id: string }>('component_sets').findOne({ _id: 'd' });
  expect(set).toMatchObject({ revision, changed_revision: revision, unpublished: true });
  expect((await readFindings(one, 'd')).findings).toHaveLength(1);
});

test('a set that is being deleted is evaluated like a new one', async () => {
  const db = await databases.open('first-scan-of-deleted');
  const deps = makeUseCaseDeps(db, components);
  const source = (name: string, edition: string) =>
    sourceOf(name, [osvJson('npm', { id: `ADV-${edition}`, name: 'bad' })], { edition });
  await loadFeed(deps, source('npm', '1'), never);
  await scanComponentSet(deps, 'd');
  const deletion = await deps.sets.beginDeletion('d');
  await loadFeed(deps, source('other', '2'), never);
  const { revision } = await deps.feed.read();
  expect(await scanComponentSet(deps, 'd')).toBe(revision);
  await deps.sets.remove(deletion);
  expect(await readFindings(deps, 'd')).toMatchObject({ revision });
});
