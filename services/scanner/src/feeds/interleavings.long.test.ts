import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf, type UseCaseDeps } from '../testing/use-case-deps';
import { loadFeed } from './load-feed';
import { readFindings } from '../testing/read-findings';
import { scanComponentSet } from '../matching/scan-component-set';
import { applyChanges } from '../rescans/apply-changes';

let databases: TestDatabases;
/** Databases; the cases in one of them run one after the other. */
const lanes: Db[] = [];
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
  const opened = [1, 2, 3, 4].map((lane) => databases.open(`interleavings${lane}`));
  lanes.push(...(await Promise.all(opened)));
});
afterAll(() => databases?.stop());

/** Each case is tried in one of the four scenarios, in turn. In all of them: `BOMTRAIL_TEST_ALL_STEPS=1`. */
const isEveryCaseTried = process.env['BOMTRAIL_TEST_ALL_STEPS'] === '1';

/** Tries the cases of a scenario, several at once. */
async function tryEach<Case>(
  cases: readonly Case[],
  scenario: { turn: number },
  attempt: (db: Db, one: Case) => Promise<unknown>,
): Promise<void> {
  const left = cases.filter((_, index) => isEveryCaseTried || index % 4 === scenario.turn);
  await Promise.all(
    lanes.map(async (db) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        // Each case brings a part of its own, and the state is read many times in each.
        await db.collection('feed_state').updateOne({}, { $set: { parts: [] } });
        await attempt(db, one);
      }
    }),
  );
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** The change of a feed: all but its commit at one call of the scan, commit and settling at another one. */
async function interleave(
  db: Db,
  scenario: { name: string; before: string; after: string; isKnown: boolean },
  at: { load: number; commit: number },
): Promise<number> {
  const name = `${scenario.name}-${at.load}-${at.commit}`;
  const id = `ADV-${name}`;
  const advisory = (fixed: string, modified: string) =>
    osvJson('npm', { id, name, fixed, modified });
  const older = `${name}-older`;
  const purl = `pkg:npm/${name}@1.0.0`;
  const components = { [name]: [purl], [older]: [purl] };
  const other = makeUseCaseDeps(db, components);
  await loadFeed(
    other,
    sourceOf(name, [advisory(scenario.before, '2026-01-01T00:00:00Z')], { edition: '1' }),
    never,
  );
  await applyChanges(other, never);
  if (scenario.isKnown) await scanComponentSet(other, older);

  const changed = [advisory(scenario.after, '2026-02-01T00:00:00Z')];
  const next = sourceOf(name, changed, { edition: '2' });
  let openGate = (): void => {};
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  let reached = (): void => {};
  const atGate = new Promise<void>((resolve) => (reached = resolve));
  const loader = makeUseCaseDeps(db, components);
  const { feed } = loader;
  loader.feed = {
    ...feed,
    read: () => feed.read(),
    commit: async (...args) => {
      reached();
      await gate;
      return feed.commit(...args);
    },
  } as typeof feed;
  let loading: Promise<unknown> | null = null;
  const load = async (): Promise<void> => {
    loading = loadFeed(loader, next, never);
    await atGate;
  };
  const commit = async (): Promise<void> => {
    openGate();
    await loading;
    await applyChanges(other, never);
  };

  let calls = 0;
  const scanner = makeUseCaseDeps(db, components, async () => {
    calls += 1;
    const call = calls;
    if (call === at.load) await load();
    if (call === at.commit) await commit();
  });
  await scanComponentSet(scanner, name);
  const used = calls;
  if (calls < at.load) await load();
  if (calls < at.commit) await commit();

  await expectFindings({ db, deps: other }, scenario.isKnown ? [name, older] : [name], {
    findings: scenario.after === '2.0.0' ? 1 : 0,
  });
  return used;
}

/** Every set has so many findings, and whoever has read it before was told or reads it after. */
async function expectFindings(
  { db, deps }: { db: Db; deps: UseCaseDeps },
  digests: readonly string[],
  expected: { findings: number },
): Promise<void> {
  const { revision } = await deps.feed.read();
  for (const digest of digests) {
    const { findings } = await readFindings(deps, digest);
    const set = await db
      .collection<{ _id: string; changed_revision?: number; revision: number }>('component_sets')
      .findOne({ _id: digest });
    const isTold = set?.changed_revision === revision || set?.revision === revision;
    expect({ digest, findings: findings.length, isTold }).toEqual({
      digest,
      findings: expected.findings,
      isTold: true,
    });
  }
}

/** A scan of a new set, as a whole, at one call of a load and of the settling after it. Gives their calls. */
async function scanWithin(
  db: Db,
  scenario: { name: string; before: string; after: string; isKnown: boolean },
  at: number,
): Promise<number> {
  const name = `within-${scenario.name}-${at}`;
  const id = `ADV-${name}`;
  const older = `${name}-older`;
  const purl = `pkg:npm/${name}@1.0.0`;
  const components = { [name]: [purl], [older]: [purl] };
  const advisory = (fixed: string, modified: string) => [
    osvJson('npm', { id, name, fixed, modified }),
  ];
  const other = makeUseCaseDeps(db, components);
  const before = advisory(scenario.before, '2026-01-01T00:00:00Z');
  await loadFeed(other, sourceOf(name, before, { edition: '1' }), never);
  await applyChanges(other, never);
  if (scenario.isKnown) await scanComponentSet(other, older);

  let calls = 0;
  const loader = makeUseCaseDeps(db, components, async () => {
    calls += 1;
    if (calls === at) await scanComponentSet(other, name);
  });
  const after = advisory(scenario.after, '2026-02-01T00:00:00Z');
  await loadFeed(loader, sourceOf(name, after, { edition: '2' }), never);
  await applyChanges(loader, never);
  const used = calls;
  if (used < at) await scanComponentSet(other, name);
  await expectFindings({ db, deps: other }, scenario.isKnown ? [name, older] : [name], {
    findings: scenario.after === '2.0.0' ? 1 : 0,
  });
  return used;
}

describe.each([
  { name: 'appears-in-new', before: '0.5.0', after: '2.0.0', isKnown: false, turn: 0 },
  { name: 'appears-in-known', before: '0.5.0', after: '2.0.0', isKnown: true, turn: 1 },
  { name: 'vanishes-in-new', before: '2.0.0', after: '0.5.0', isKnown: false, turn: 2 },
  { name: 'vanishes-in-known', before: '2.0.0', after: '0.5.0', isKnown: true, turn: 3 },
])('a finding that $name packages', (scenario) => {
  const late = 1000;

  test('reaches the set wherever the load and its commit fall into the scan', async () => {
    const [first] = lanes;
    const calls = first ? await interleave(first, scenario, { load: late, commit: late }) : 0;
    expect(calls).toBeGreaterThanOrEqual(5);
    const steps = upTo(calls + 1);
    const pairs = steps.flatMap((load) =>
      steps.slice(load - 1).map((commit) => ({ load, commit })),
    );
    await tryEach(pairs, scenario, (db, at) => interleave(db, scenario, at));
  });

  test('reaches the set wherever its scan falls into the load and the settling', async () => {
    const [first] = lanes;
    const calls = first ? await scanWithin(first, scenario, late) : 0;
    expect(calls).toBeGreaterThanOrEqual(10);
    await tryEach(upTo(calls + 1), scenario, (db, at) => scanWithin(db, scenario, at));
  });
});
