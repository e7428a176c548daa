import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import type { Request } from '@bomtrail/messaging';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf, type UseCaseDeps } from '../testing/use-case-deps';
import { adoptRules, loadFeed } from '../feeds/load-feed';
import { readFindings } from '../testing/read-findings';
import { reevaluateSets } from './reevaluate-sets';
import { scanComponentSet } from '../matching/scan-component-set';
import { applyChanges } from './apply-changes';
import { publishChanges } from './publish-changes';

let databases: TestDatabases;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
});
afterAll(() => databases?.stop());

const olderRules = MATCHING_RULES_VERSION - 1;
const withOlderRules = { $mergeObjects: ['$$this', { rules: olderRules }] };

const components: Record<string, string[]> = {
  affected: ['pkg:npm/bad@1.0.0', 'pkg:npm/fine@1.0.0'],
  clean: ['pkg:npm/fine@1.0.0'],
  gone: ['pkg:npm/bad@1.0.0'],
};

interface AnyDocument {
  _id: string;
  [field: string]: unknown;
}

async function makeData(name: string): Promise<{ db: Db; deps: UseCaseDeps }> {
  const db = await databases.open(name);
  const deps = makeUseCaseDeps(db, components);
  const records = [osvJson('npm', { id: 'ADV-BAD', name: 'bad', fixed: '2.0.0' })];
  await loadFeed(deps, sourceOf('npm', records, { edition: '1' }), never);
  for (const digest of Object.keys(components)) await scanComponentSet(deps, digest);
  return { db, deps };
}

/** Data that older rules left. */
async function makeOldData(
  name: string,
  options?: { isFound: boolean },
): Promise<{ db: Db; deps: UseCaseDeps }> {
  const { db } = await makeData(name);
  await makeOlder(db, options);
  return { db, deps: makeUseCaseDeps(db, components) };
}

/** Makes data that of older rules, which found nothing in `bad`; `isFound`: what the rules of today find. */
async function makeOlder(db: Db, { isFound } = { isFound: false }): Promise<void> {
  const of = (collection: string) => db.collection<AnyDocument>(collection);
  await of('feed_state').updateMany({}, [
    { $set: { rules: olderRules, parts: { $map: { input: '$parts', in: withOlderRules } } } },
  ]);
  await of('advisories').updateMany({}, { $set: { rules: olderRules } });
  await of('package_versions').updateMany(
    {},
    { $unset: { before: 1 }, $set: { rules: olderRules, ...(isFound ? {} : { matches: [] }) } },
  );
  const ofSets = { rules: olderRules, ...(isFound ? {} : { matched: [] }) };
  await of('component_sets').updateMany({}, { $set: ofSets });
  const members = await of('component_set_members').find().toArray();
  await of('component_set_members').deleteMany({});
  for (const one of members) {
    const _id = `${String(one['digest'])}:${olderRules}:0`;
    await of('component_set_members').insertOne({ ...one, _id, rules: olderRules });
  }
}

/** A changed text of the advisory for `bad`. */
async function loadText(deps: UseCaseDeps): Promise<void> {
  const modified = '2026-03-01T00:00:00Z';
  const bad = { id: 'ADV-BAD', name: 'bad', fixed: '2.0.0', summary: 'Worse', modified };
  await loadFeed(deps, sourceOf('npm', [osvJson('npm', bad)], { edition: '2' }), never);
}

/** Publishes the changes; returns the moments that are told with them. */
async function publishedMoments({ feed, sets }: UseCaseDeps): Promise<(string | null)[]> {
  const moments: (string | null)[] = [];
  const request = (async (_definition: unknown, change: { changed_at: string | null }) => {
    moments.push(change.changed_at);
    return { body: { services: 1 } };
  }) as unknown as Request;
  await publishChanges({ feed, sets, request });
  return moments;
}

async function findingsOf(deps: UseCaseDeps, digest: string) {
  const { findings, revision } = await readFindings(deps, digest);
  return { revision, count: findings.length };
}

async function changedSets(db: Db): Promise<string[]> {
  const sets = db.collection<AnyDocument>('component_sets').find({ unpublished: true });
  return (await sets.toArray()).map(({ _id }) => _id).sort();
}

test('sets of older rules are evaluated again, and different results are published', async () => {
  const { db, deps } = await makeOldData('rules');
  const { revision: old } = await deps.feed.read();
  expect(await reevaluateSets(deps, never)).toBe(0);

  expect(await adoptRules(deps, never)).toBe(true);
  await applyChanges(deps, never);
  expect(await adoptRules(deps, never)).toBe(false);
  const { revision, rules } = await deps.feed.read();
  expect({ revision, rules }).toEqual({ revision: old + 1, rules: MATCHING_RULES_VERSION });
  // What stands on older rules does not count for the revision of the new ones.
  expect(await findingsOf(deps, 'affected')).toEqual({ revision: old, count: 0 });

  delete components['gone'];
  expect(await reevaluateSets(deps, never)).toBe(3);
  components['gone'] = ['pkg:npm/bad@1.0.0'];
  expect(await findingsOf(deps, 'affected')).toEqual({ revision, count: 1 });
  expect(await findingsOf(deps, 'clean')).toEqual({ revision, count: 0 });
  expect(await changedSets(db)).toEqual(['affected']);
  expect(await db.collection('component_sets').countDocuments()).toBe(2);
  const ofOtherRules = { rules: { $ne: MATCHING_RULES_VERSION } };
  expect(await db.collection('component_set_members').countDocuments(ofOtherRules)).toBe(0);
  expect(await reevaluateSets(deps, never)).toBe(0);
});

test('an upload evaluates a set of older rules at once and publishes the change', async () => {
  const { db, deps } = await makeOldData('upload');
  await adoptRules(deps, never);
  await applyChanges(deps, never);
  await scanComponentSet(deps, 'affected');
  expect((await findingsOf(deps, 'affected')).count).toBe(1);
  expect(await changedSets(db)).toEqual(['affected']);
});

test('an advisory change reaches a set of older rules by the rules of today', async () => {
  const { deps } = await makeOldData('change');
  await adoptRules(deps, never);
  await applyChanges(deps, never);
  const modified = '2026-03-01T00:00:00Z';
  const next = [osvJson('npm', { id: 'ADV-FINE', name: 'fine', fixed: '3.0.0', modified })];
  await loadFeed(deps, sourceOf('other', next, { edition: '2' }), never);
  await applyChanges(deps, never);
  const { revision } = await deps.feed.read();
  expect(await findingsOf(deps, 'affected')).toEqual({ revision, count: 2 });
  expect(await findingsOf(deps, 'clean')).toEqual({ revision, count: 1 });
});

test('sets of older rules that are evaluated before a change of a text is applied are told of it', async () => {
  const { db, deps } = await makeOldData('text', { isFound: true });
  await adoptRules(deps, never);
  await applyChanges(deps, never);
  await loadText(deps);
  await scanComponentSet(deps, 'gone');
  expect(await reevaluateSets(deps, never)).toBe(2);
  await applyChanges(deps, never);
  expect(await changedSets(db)).toEqual(['affected', 'gone']);
});

test('sets of older rules with the same result are told of nothing', async () => {
  const { db, deps } = await makeOldData('same', { isFound: true });
  await adoptRules(deps, never);
  await applyChanges(deps, never);
  expect(await reevaluateSets(deps, never)).toBe(3);
  expect(await changedSets(db)).toEqual([]);
});

test('what new rules find is told without the moment of a change that was told before', async () => {
  const { db, deps: before } = await makeData('moments');
  await loadText(before);
  await applyChanges(before, never);
  const { in_force_at } = await before.feed.read();
  expect(await publishedMoments(before)).toEqual([in_force_at?.toISOString()]);

  await makeOlder(db);
  const deps = makeUseCaseDeps(db, components);
  await adoptRules(deps, never);
  await applyChanges(deps, never);
  await reevaluateSets(deps, never);
  expect(await changedSets(db)).toEqual(['affected', 'gone']);
  expect(await publishedMoments(deps)).toEqual([null]);
});

test('a part that was read by older rules is read again, and what stands still writes no revision', async () => {
  const { deps } = await makeOldData('part');
  await adoptRules(deps, never);
  await applyChanges(deps, never);
  const { revision } = await deps.feed.read();
  const records = [osvJson('npm', { id: 'ADV-BAD', name: 'bad', fixed: '2.0.0' })];
  await loadFeed(deps, sourceOf('npm', records, { edition: '1' }), never);
  const state = await deps.feed.read();
  expect(state.revision).toBe(revision);
  expect(state.parts[0]?.rules).toBe(MATCHING_RULES_VERSION);
});
