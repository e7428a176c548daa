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

/** The pairs of two numbers of which the second one is not lower. */
function pairsUpTo(count: number): [number, number][] {
  const numbers = upTo(count);
  return numbers.flatMap((first) =>
    numbers.slice(first - 1).map((second): [number, number] => [first, second]),
  );
}

/** The calls of a scan before which steps of a load happen. */
interface Steps {
  /** All but its commit. */
  load: number;
  commit: number;
  apply: number;
  /** Whether another process scans the set, as a whole, before the commit. */
  isShared: boolean;
}

/** The change of a feed, with its steps at calls of a scan. */
async function interleave(
  db: Db,
  scenario: { name: string; before: string; after: string; isKnown: boolean },
  at: Steps,
): Promise<number> {
  const name = `${scenario.name}-${Object.values(at).join('-')}`;
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
  const revisions: number[] = [];
  const commit = async (): Promise<void> => {
    if (at.isShared) revisions.push(await scanComponentSet(makeUseCaseDeps(db, components), name));
    openGate();
    await loading;
  };
  const apply = () => applyChanges(other, never);

  let calls = 0;
  // Some calls of a scan are concurrent.
  let steps: Promise<unknown> = Promise.resolve();
  const takeSteps = async (isDue: (call: number) => boolean): Promise<void> => {
    if (isDue(at.load)) steps = steps.then(load);
    if (isDue(at.commit)) steps = steps.then(commit);
    if (isDue(at.apply)) steps = steps.then(apply);
    await steps;
  };
  const scanner = makeUseCaseDeps(db, components, async () => {
    calls += 1;
    const call = calls;
    if ([at.load, at.commit, at.apply].includes(call)) await takeSteps((step) => step === call);
  });
  revisions.push(await scanComponentSet(scanner, name));
  const used = calls;
  await takeSteps((step) => step > used);

  await expectFindings({ db, deps: other }, scenario.isKnown ? [name, older] : [name], {
    findings: scenario.after === '2.0.0' ? 1 : 0,
  });
  await expectTold({ db, deps: other }, name, revisions);
  return used;
}

/** Whoever was told of the set at an older revision was told of the last one. */
async function expectTold(
  { db, deps }: { db: Db; deps: UseCaseDeps },
  digest: string,
  revisions: readonly number[],
): Promise<void> {
  const { revision } = await deps.feed.read();
  if (Math.min(...revisions) >= revision) return;
  const sets = db.collection<{ _id: string; changed_revision?: number }>('component_sets');
  const set = await sets.findOne({ _id: digest });
  expect({ digest, changed: set?.changed_revision }).toEqual({ digest, changed: revision });
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
    const at = { load: late, commit: late, apply: late, isShared: false };
    const calls = first ? await interleave(first, scenario, at) : 0;
    expect(calls).toBeGreaterThanOrEqual(5);
    const cases = pairsUpTo(calls + 1).map(([load, commit]) => ({
      load,
      commit,
      apply: commit,
      isShared: false,
    }));
    await tryEach(cases, scenario, (db, one) => interleave(db, scenario, one));
  });

  test('reaches whoever has read the set wherever a scan by another process, the commit and the settling fall into the scan', async () => {
    const [first] = lanes;
    const at = { load: late, commit: late, apply: late, isShared: true };
    const calls = first ? await interleave(first, scenario, at) : 0;
    expect(calls).toBeGreaterThanOrEqual(5);
    // A scan that assesses again has up to twice as many calls.
    const steps = pairsUpTo(2 * calls).filter(([commit]) => commit <= calls + 1);
    const cases = steps.map(([commit, apply]) => ({
      load: commit,
      commit,
      apply,
      isShared: true,
    }));
    await tryEach(cases, scenario, (db, one) => interleave(db, scenario, one));
  });

  test('reaches the set wherever its scan falls into the load and the settling', async () => {
    const [first] = lanes;
    const calls = first ? await scanWithin(first, scenario, late) : 0;
    expect(calls).toBeGreaterThanOrEqual(10);
    await tryEach(upTo(calls + 1), scenario, (db, at) => scanWithin(db, scenario, at));
  });
});
