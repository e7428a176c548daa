import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { FindingsReport } from '@bomtrail/messages';
import { createLogger, createTurns, unpackJson, type Request } from '@bomtrail/service-kit';
import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { createStampedCache } from '../cache/stamped-cache';
import type { AdvisorySource } from '../feeds/source';
import { createAdvisoryStore } from '../store/advisory-store';
import { createComponentSetStore } from '../store/component-set-store';
import { createFeedStateStore } from '../store/feed-state-store';
import { createPackageChangeStore } from '../store/package-change-store';
import { createPackageVersionStore } from '../store/package-version-store';
import { createIndexes } from '../testing/create-indexes';
import { osvJson } from '../testing/feed-folder';
import { loadFeed } from './load-feed';
import { readFindings } from './read-findings';
import { scanComponentSet, type ScanDeps } from './scan-component-set';
import { settleChanges } from './settle-changes';

let servers: TestServers;
let client: MongoClient;
let db: Db;
const never = new AbortController().signal;
const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });

beforeAll(async () => {
  servers = await startTestServers();
  client = await new MongoClient(servers.mongoUri).connect();
  db = client.db(`${servers.prefix}interleavings`);
  await createIndexes(db);
}, 120_000);
afterAll(async () => {
  await client?.close();
  await servers?.stop();
});

/** Runs something before each call of a store. */
type BeforeCall = () => Promise<void>;

function watched<Store extends object>(store: Store, beforeCall: BeforeCall): Store {
  return new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return async (...args: unknown[]) => {
        await beforeCall();
        return method.apply(target, args);
      };
    },
  });
}

/** Stores of a process of its own; all of its calls pass by `beforeCall`. */
function makeDeps(beforeCall: BeforeCall, components: Record<string, string>) {
  const request = (async (_definition: unknown, { digest }: { digest: string }) => {
    const purl = components[digest];
    const text = JSON.stringify([{ purl, name: purl, version: '', is_direct: true }]);
    return { body: { count: 1 }, attachment: gzipSync(text) };
  }) as unknown as Request;
  const stores = {
    feed: watched(createFeedStateStore(db), beforeCall),
    sets: watched(createComponentSetStore(db), beforeCall),
    advisories: createAdvisoryStore(db),
    changes: watched(createPackageChangeStore(db), beforeCall),
    versions: createPackageVersionStore(db),
  };
  return {
    ...{
      ...stores,
      request,
      log,
      inTurn: createTurns(),
      places: new Map(),
      countEvaluated() {},
      standingsIn: () => () => 'feed',
      requireFeeds: async () => {},
      countSet() {},
    },
    advisories: watchedFinders(stores.advisories, beforeCall),
    versions: watchedFinders(stores.versions, beforeCall),
    versionCache: createStampedCache<never>({ maxSize: 100 }),
    descriptionCache: createStampedCache<never>({ maxSize: 100 }),
    reportCache: createStampedCache<never>({ maxSize: 100 }),
  } as unknown as ScanDeps & Parameters<typeof readFindings>[0] & Parameters<typeof loadFeed>[0];
}

/** Leaves alone what gives a cursor. */
function watchedFinders<Store extends object>(store: Store, beforeCall: BeforeCall): Store {
  const all = watched(store, beforeCall);
  return new Proxy(store, {
    get: (target, name) => Reflect.get(String(name).startsWith('list') ? target : all, name),
  });
}

function sourceOf(label: string, record: object, edition: string): AdvisorySource {
  const bytes = Buffer.from(JSON.stringify(record));
  return {
    origin: label,
    isLive: false,
    list: async () => [
      {
        ...{ label, covers: ['npm'] },
        open: async () => ({
          ...{ fingerprint: edition, count: 1, asOf: new Date() },
          ...{ increment: null, completeUpTo: null },
          async *files() {
            yield { name: 'one.json', read: async () => bytes };
          },
          close: async () => {},
        }),
      },
    ],
  };
}

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
  const components = { [name]: purl, [older]: purl };
  const other = makeDeps(async () => {}, components);
  await loadFeed(
    other,
    sourceOf(name, advisory(scenario.before, '2026-01-01T00:00:00Z'), '1'),
    never,
  );
  await settleChanges(other, never);
  if (scenario.isKnown) await scanComponentSet(other, older);

  const next = sourceOf(name, advisory(scenario.after, '2026-02-01T00:00:00Z'), '2');
  let openGate = (): void => {};
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  let reached = (): void => {};
  const atGate = new Promise<void>((resolve) => (reached = resolve));
  const loader = makeDeps(async () => {}, components);
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
  const scanner = makeDeps(async () => {
    calls += 1;
    const call = calls;
    if (call === at.load) await load();
    if (call === at.commit) await commit();
  }, components);
  await scanComponentSet(scanner, name);
  const used = calls;
  if (calls < at.load) await load();
  if (calls < at.commit) await commit();

  const { revision } = await other.feed.read();
  const expected = scenario.after === '2.0.0' ? 1 : 0;
  for (const digest of scenario.isKnown ? [name, older] : [name]) {
    const { report } = await readFindings(other, digest);
    const { findings } = (await unpackJson(report)) as FindingsReport;
    const set = await db
      .collection<{ _id: string; changed_revision?: number; revision: number }>('component_sets')
      .findOne({ _id: digest });
    const isTold = set?.changed_revision === revision || set?.revision === revision;
    expect({ name, digest, findings: findings.length, isTold }).toEqual({
      ...{ name, digest, findings: expected, isTold: true },
    });
  }
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
  }, 120_000);
});
