import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf, type UseCaseDeps } from '../testing/use-case-deps';
import { loadFeed } from '../feeds/load-feed';
import { readFindings } from '../testing/read-findings';
import { scanComponentSet } from './scan-component-set';
import { applyChanges } from '../rescans/apply-changes';

let databases: TestDatabases;
let db: Db;
let components: Record<string, string[]>;
let deps: UseCaseDeps;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('scan_cost');
  const records = packages.map((name) => osvJson('npm', { id: `ADV-${name}`, name }));
  await loadFeed(makeUseCaseDeps(db, {}), sourceOf('npm', records, { edition: '1' }), never);
});
afterAll(() => databases?.stop());

const packages = Array.from({ length: 10 }, (_one, n) => `p${n}`);
let serial = 0;

/** A set of known packages, half of them in versions that nobody has seen. */
function newSet(): string {
  serial += 1;
  const digest = `set-${serial}`;
  components[digest] = packages.map((name, n) => `pkg:npm/${name}@${n % 2 ? `1.0.${serial}` : 1}`);
  return digest;
}

beforeEach(async () => {
  components = {};
  deps = makeUseCaseDeps(db, components);
  await scanComponentSet(deps, newSet());
});

const ofNewSet = [
  'find component_sets',
  'find feed_state',
  'find feed_state',
  'find package_versions',
  'insert component_names',
  'insert package_versions',
  'update component_set_members',
  'update component_sets',
];

describe('Once the packages are known, the database is asked', () => {
  test('for a known set: for its evaluation and the revision', async () => {
    const digest = newSet();
    await scanComponentSet(deps, digest);
    expect(await databases.commandsOf(() => scanComponentSet(deps, digest))).toEqual([
      'find component_sets',
      'find feed_state',
    ]);
  });

  test('for a new set: once for each thing that is looked at or written', async () => {
    expect(await databases.commandsOf(() => scanComponentSet(deps, newSet()))).toEqual(ofNewSet);
  });

  test('for sixteen new sets at once: at most twice as often as for one', async () => {
    const digests = Array.from({ length: 16 }, newSet);
    const scans = () => Promise.all(digests.map((digest) => scanComponentSet(deps, digest)));
    // Each kind of question or write may come in two batches: the first one at once.
    const commands = await databases.commandsOf(scans);
    expect(commands.length).toBeLessThanOrEqual(2 * ofNewSet.length);
    for (const digest of digests) expect(await findingsOf(digest)).toBe(packages.length);
  });

  test('for a new set that is requested twice at once: its evaluation state twice, nothing else', async () => {
    const digest = newSet();
    const scans = () => Promise.all([1, 2].map(() => scanComponentSet(deps, digest)));
    const commands = await databases.commandsOf(scans);
    const looks = commands.filter((one) => /^find (component_sets|feed_state)$/.test(one)).length;
    expect(commands.length - looks).toBe(ofNewSet.length - 3);
    expect(looks).toBeLessThanOrEqual(7);
    expect(await findingsOf(digest)).toBe(packages.length);
  });

  test('for the findings of a set that was just scanned: for the revision alone, afterwards', async () => {
    const ofFindings = ['find feed_state'];
    const [first, second] = [newSet(), newSet()];
    await scanComponentSet(deps, first);
    await findingsOf(first);
    expect(await databases.commandsOf(() => findingsOf(first))).toEqual(ofFindings);
    // Of another set with the same hits too.
    components[second] = [...(components[first] ?? []), 'pkg:npm/clean@1.0.0'];
    await scanComponentSet(deps, second);
    expect(await databases.commandsOf(() => findingsOf(second))).toEqual(ofFindings);
  });
});

test('Of scans at once the one that fails fails alone', async () => {
  const digests = [newSet(), 'unknown', newSet()];
  const done = await Promise.allSettled(digests.map((digest) => scanComponentSet(deps, digest)));
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('The cached advisories are those in force', async () => {
  const changed = packages.map((name) =>
    osvJson('npm', { id: `ADV-${name}`, name, fixed: '0.5.0', modified: '2026-03-01T00:00:00Z' }),
  );
  const earlier = newSet();
  await scanComponentSet(deps, earlier);
  expect(await findingsOf(earlier)).toBe(packages.length);
  const other = makeUseCaseDeps(db, components);
  await loadFeed(other, sourceOf('npm', changed, { edition: '2' }), never);
  await applyChanges(other, never);
  const later = newSet();
  await scanComponentSet(deps, later);
  expect([await findingsOf(earlier), await findingsOf(later)]).toEqual([0, 0]);
});

async function findingsOf(digest: string): Promise<number> {
  return (await readFindings(deps, digest)).findings.length;
}
