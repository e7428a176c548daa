import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FindingsReport } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/service-kit';
import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { createIndexes } from '../testing/create-indexes';
import { osvJson } from '../testing/feed-folder';
import { makeUseCaseDeps, sourceOf, type UseCaseDeps } from '../testing/use-case-deps';
import { loadFeed } from './load-feed';
import { readFindings } from './read-findings';
import { scanComponentSet } from './scan-component-set';
import { settleChanges } from './settle-changes';

let servers: TestServers;
let client: MongoClient;
let db: Db;
const never = new AbortController().signal;

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri).connect();
  db = client.db(`${servers.prefix}interleavings`);
  await createIndexes(db);
}, 300_000);
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

/** The change of a feed: all but its commit at one call of the scan, commit and settling at another one. */
async function interleave(
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
  await settleChanges(other, never);
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
    await settleChanges(other, never);
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

  await expectFindings(other, scenario.isKnown ? [name, older] : [name], {
    findings: scenario.after === '2.0.0' ? 1 : 0,
  });
  return used;
}

/** Every set has so many findings, and whoever has read it before was told or reads it after. */
async function expectFindings(
  deps: UseCaseDeps,
  digests: readonly string[],
  expected: { findings: number },
): Promise<void> {
  const { revision } = await deps.feed.read();
  for (const digest of digests) {
    const { report } = await readFindings(deps, digest);
    const { findings } = (await unpackJson(report)) as FindingsReport;
    const set = await db
      .collection<{ _id: string; changed_revision?: number; revision: number }>('component_sets')
      .findOne({ _id: digest });
    const isTold = set?.changed_revision === revision || set?.revision === revision;
    expect({ digest, findings: findings.length, isTold }).toEqual({
      ...{ digest, findings: expected.findings, isTold: true },
    });
  }
}

/** A scan of a new set, as a whole, at one call of a load and of the settling after it. Gives their calls. */
async function scanWithin(
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
  await settleChanges(other, never);
  if (scenario.isKnown) await scanComponentSet(other, older);

  let calls = 0;
  const loader = makeUseCaseDeps(db, components, async () => {
    calls += 1;
    if (calls === at) await scanComponentSet(other, name);
  });
  const after = advisory(scenario.after, '2026-02-01T00:00:00Z');
  await loadFeed(loader, sourceOf(name, after, { edition: '2' }), never);
  await settleChanges(loader, never);
  const used = calls;
  if (used < at) await scanComponentSet(other, name);
  await expectFindings(other, scenario.isKnown ? [name, older] : [name], {
    findings: scenario.after === '2.0.0' ? 1 : 0,
  });
  return used;
}

describe.each([
  { name: 'appears-in-new', before: '0.5.0', after: '2.0.0', isKnown: false },
  { name: 'appears-in-known', before: '0.5.0', after: '2.0.0', isKnown: true },
  { name: 'vanishes-in-new', before: '2.0.0', after: '0.5.0', isKnown: false },
  { name: 'vanishes-in-known', before: '2.0.0', after: '0.5.0', isKnown: true },
])('a finding that $name packages', (scenario) => {
  test('reaches the set wherever the load and its commit fall into the scan', async () => {
    const late = 1000;
    const calls = await interleave(scenario, { load: late, commit: late });
    expect(calls).toBeGreaterThanOrEqual(5);
    for (let load = 1; load <= calls + 1; load += 1) {
      for (let commit = load; commit <= calls + 1; commit += 1)
        await interleave(scenario, { load, commit });
    }
  }, 300_000);

  test('reaches the set wherever its scan falls into the load and the settling', async () => {
    const calls = await scanWithin(scenario, 1000);
    expect(calls).toBeGreaterThanOrEqual(10);
    for (let at = 1; at <= calls + 1; at += 1) await scanWithin(scenario, at);
  }, 300_000);
});
