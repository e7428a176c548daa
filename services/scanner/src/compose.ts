import { createTurns, type Composition, type Kit } from '@bomtrail/service-kit';
import { LRUCache } from 'lru-cache';
import { createStampedCache } from './cache/stamped-cache';
import type { Place } from './domain/component-set';
import type { Settings } from './config';
import type { SetSummary } from './domain/component-set';
import type { Described } from './domain/describe-findings';
import { standingOf } from './domain/feed-standing';
import { scannerSubscriptions } from './events/subscriptions';
import { createFeedLoop, type FeedLoop } from './feeds/feed-loop';
import { feedSource, starterSource } from './feeds/open-source';
import { createMetrics, watchFeed } from './metrics';
import { scannerAnswers } from './rpc/answers';
import { advisoryIndexes, createAdvisoryStore } from './store/advisory-store';
import { componentSetIndexes } from './store/component-set-documents';
import { createComponentSetStore } from './store/component-set-store';
import { createFeedStateStore, isSettled, type FeedState } from './store/feed-state-store';
import { createPackageChangeStore, packageChangeIndexes } from './store/package-change-store';
import {
  createPackageVersionStore,
  packageVersionIndexes,
  type PackageVersionDocument,
} from './store/package-version-store';
import { scannerSweeps, settleAndAnnounce, type SweepDeps } from './sweeps/sweeps';
import { loadFeed } from './use-cases/load-feed';
import type { CachedReport } from './use-cases/read-findings';

/** Some hundred bytes each. */
const cachedPlaces = 100_000;
/** Package versions, a few hundred bytes each. */
const cachedVersions = 100_000;
const cachedDescriptionBytes = 64 * 1024 * 1024;
const cachedReportBytes = 64 * 1024 * 1024;

/** Builds the scanner from what the kit gives. */
export function compose(kit: Kit, settings: Settings): Composition {
  const { db } = kit.database;
  const { log, leases, request, publish, announce } = kit;
  const metrics = createMetrics(kit.registry);
  const feed = createFeedStateStore(db);
  watchFeed(kit.registry, feed);
  const staleAfterMs = settings.BOMTRAIL_FEED_STALE_AFTER_SECONDS * 1000;
  const stopping = new AbortController();
  const deps = {
    ...{ log, leases, request, publish, announce, metrics, feed, signal: stopping.signal },
    inTurn: createTurns(),
    standingsIn: (state: FeedState) => {
      const at = { now: Date.now(), staleAfterMs };
      return (ecosystem: string) => standingOf(ecosystem, state, at);
    },
    places: new LRUCache<string, Place>({ max: cachedPlaces }),
    advisories: createAdvisoryStore(db),
    changes: createPackageChangeStore(db),
    versions: createPackageVersionStore(db),
    sets: createComponentSetStore(db),
    versionCache: createStampedCache<PackageVersionDocument>({ maxSize: cachedVersions }),
    descriptionCache: createStampedCache<Described>({
      maxSize: cachedDescriptionBytes,
      sizeOf: ({ json }) => json.length,
    }),
    reportCache: createStampedCache<CachedReport>({
      maxSize: cachedReportBytes,
      sizeOf: ({ report }) => report.byteLength,
    }),
    countEvaluated: (count: number) => metrics.versionsEvaluated.inc(count),
    countSet(cause: 'upload' | 'change', { counts }: SetSummary) {
      metrics.setsEvaluated.inc({ cause });
      for (const [reason, count] of Object.entries(counts.undetermined))
        metrics.undetermined.inc({ reason }, count);
    },
  };
  const loop = createLoop(deps, settings);
  return {
    indexes: {
      ...advisoryIndexes,
      ...componentSetIndexes,
      ...packageChangeIndexes,
      ...packageVersionIndexes,
    },
    // No door opens before there are advisories: an empty answer would look like a clean one.
    start: async () => {
      loop.start();
      await loop.loaded();
    },
    rpc: scannerAnswers(deps),
    events: scannerSubscriptions(deps),
    sweeps: scannerSweeps(deps),
    open: async () => ({
      close: async () => {
        stopping.abort(new Error('the service is stopping'));
        await loop.stop();
      },
    }),
  };
}

function createLoop(
  deps: SweepDeps & Parameters<typeof loadFeed>[0],
  settings: Settings,
): FeedLoop {
  const configured = settings.BOMTRAIL_ADVISORY_SOURCE;
  return createFeedLoop({
    log: deps.log,
    leases: deps.leases,
    feed: deps.feed,
    starter: starterSource(),
    source: feedSource(configured),
    isConfigured: configured !== '',
    intervalSeconds: settings.BOMTRAIL_FEED_INTERVAL_SECONDS,
    load: (source, signal) => loadFeed(deps, source, signal),
    async settle() {
      try {
        await settleAndAnnounce(deps);
      } catch (error) {
        deps.log.warn(
          { reason: (error as Error).message },
          'The changes of the advisories are not settled or not told yet; the sweep goes on with them.',
        );
      }
      return isSettled(await deps.feed.read());
    },
  });
}
