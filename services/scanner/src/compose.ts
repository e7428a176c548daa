import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { createKeyedMutex } from '@bomtrail/concurrency';
import { uploadsWaiting } from '@bomtrail/messages';
import { onBroadcast } from '@bomtrail/messaging';
import { proxiedFetch, readProxies } from '@bomtrail/outbound';
import { createUploadPauses, type Composition, type Kit } from '@bomtrail/service-runtime';
import { createScannerCaches } from './cache/scanner-caches';
import type { Settings } from './config';
import type { ResolvedSet, SetSummary } from './matching/domain/component-set';
import type { FeedPlan } from './feeds/domain/feed-waiting';
import { dataStatusOf } from './feeds/domain/feed-data-status';
import { scannerSubscriptions } from './events/subscriptions';
import { createFeedLoop, type FeedLoop } from './feeds/feed-loop';
import { createCveRecordSource } from './feeds/sources/cve-record-source';
import { createSourcesInForce } from './feeds/sources-in-force';
import { createSourceClaimStore } from './feeds/store/source-claim-store';
import { withoutCredentials } from './feeds/domain/feed-view';
import { feedSource, starterSource } from './feeds/sources/open-source';
import { originOf, type FeedSource } from './feeds/sources/source';
import { removeLeftFolders } from './feeds/sources/temporary-folder';
import { createMetrics, watchFeed, watchRiskFeeds, watchVexSources, watchWaiting } from './metrics';
import { vexSourcesOf } from './vex-sources/sources/vex-sources';
import { createVexSourceStore } from './vex-sources/store/vex-source-store';
import type { RiskSource } from './risk/sources/open-risk-file';
import { riskSourcesOf } from './risk/sources/risk-sources';
import { createRiskScoreStore } from './risk/store/risk-score-store';
import { createRiskStateStore } from './risk/store/risk-state-store';
import { scannerHandlers } from './rpc/handlers';
import { createAdvisoryStore } from './feeds/store/advisory-store';
import { createComponentNameStore } from './matching/store/component-name-store';
import { createComponentSetStore } from './matching/store/component-set-store';
import { isApplied, type FeedState } from './feeds/domain/feed-state';
import { createFeedStateStore } from './feeds/store/feed-state-store';
import { scannerIndexes } from './store/indexes';
import { createReleasedSetStore } from './deletion/store/released-set-store';
import { createPackageChangeStore } from './feeds/store/package-change-store';
import { createPackageVersionStore } from './matching/store/package-version-store';
import { createWaitingScanStore } from './feeds/store/waiting-scan-store';
import { createWantedEcosystemStore } from './feeds/store/wanted-ecosystem-store';
import { scannerSweeps, applyAndPublish, type SweepDeps } from './sweeps/sweeps';
import { releaseWaitingScans, requireFeeds, type AwaitFeedsDeps } from './feeds/await-feeds';
import { adoptRules, loadFeed, removePart } from './feeds/load-feed';
import type { EvaluationCause } from './matching/scan-component-set';

/** Upper bound of one poll of a feed. */
const downloadAtMostMs = 3_600_000;

/** Builds the scanner from the kit and its settings. */
export function compose(kit: Kit, settings: Settings): Composition {
  const { db } = kit.database;
  const { log, leases, request, publishOrThrow, publishResult, tracer } = kit;
  const metrics = createMetrics(kit.registry);
  const feed = createFeedStateStore(db);
  watchFeed(kit.registry, feed);
  const silenceMs = settings.BOMTRAIL_FEED_TIMEOUT_SECONDS * 1000;
  const http = {
    responseMs: silenceMs,
    stallMs: silenceMs,
    totalMs: downloadAtMostMs,
    fetch: proxiedFetch(readProxies(settings)),
  };
  const source = feedSource(settings.BOMTRAIL_ADVISORY_SOURCE, {
    http,
    fullIntervalMs: settings.BOMTRAIL_FEED_FULL_INTERVAL_SECONDS * 1000,
  });
  const awaiting: AwaitFeedsDeps = {
    feed,
    publishOrThrow,
    tracer,
    feedPlan: planOf(source, settings),
    wanted: createWantedEcosystemStore(db),
    waiting: createWaitingScanStore(db),
  };
  watchWaiting(kit.registry, awaiting.waiting);
  const staleAfterMs = settings.BOMTRAIL_FEED_STALE_AFTER_SECONDS * 1000;
  const graceMs = settings.BOMTRAIL_GARBAGE_GRACE_SECONDS * 1000;
  const stopping = new AbortController();
  const riskStates = createRiskStateStore(db);
  const riskSources = riskSourcesOf(settings);
  watchRiskFeeds(kit.registry, riskStates, riskSources);
  const vexSources = vexSourcesOf(settings.BOMTRAIL_VEX_SOURCES, http);
  const vexSourceStore = createVexSourceStore(db);
  watchVexSources(kit.registry, vexSourceStore, vexSources);
  const deps = {
    log,
    leases,
    request,
    publishResult,
    metrics,
    signal: stopping.signal,
    ...awaiting,
    http,
    riskStates,
    riskScores: createRiskScoreStore(db),
    riskSources,
    sourcesInForce: createSourcesInForce(
      { log, claims: createSourceClaimStore(db) },
      sourcesText(awaiting.feedPlan, settings, riskSources),
    ),
    vexSources,
    vexSourceStore,
    vexIntervalMs: settings.BOMTRAIL_FEED_INTERVAL_SECONDS * 1000,
    riskFeedSeconds: settings.BOMTRAIL_FEED_INTERVAL_SECONDS,
    requireFeeds: (set: ResolvedSet, cause: EvaluationCause, state: FeedState) =>
      requireFeeds(awaiting, set, { cause, state }),
    withKey: createKeyedMutex(),
    dataStatusIn: (state: FeedState) => {
      const at = { now: Date.now(), staleAfterMs };
      return (release: string) => dataStatusOf(release, state, at);
    },
    advisories: createAdvisoryStore(db),
    changes: createPackageChangeStore(db),
    versions: createPackageVersionStore(db),
    sets: createComponentSetStore(db),
    released: createReleasedSetStore(db),
    graceMs,
    names: createComponentNameStore(db, graceMs / 4),
    uploadPauses: createUploadPauses(),
    ...createScannerCaches(),
    countEvaluated: (count: number) => metrics.versionsEvaluated.inc(count),
    countSet(cause: EvaluationCause, { counts }: SetSummary) {
      metrics.setsEvaluated.inc({ cause });
      for (const [reason, count] of Object.entries(counts.undetermined))
        metrics.undetermined.inc({ reason }, count);
    },
  };
  const loop = createLoop(deps, source, settings);
  return {
    indexes: scannerIndexes,
    // No transport opens before advisories are loaded: an empty response would look like a clean
    // one.
    start: async () => {
      await removeLeftFolders();
      loop.start();
      await loop.loaded();
    },
    rpc: scannerHandlers(deps),
    events: scannerSubscriptions(deps),
    broadcasts: [onBroadcast(uploadsWaiting, deps.uploadPauses.heard)],
    sweeps: scannerSweeps(deps),
    open: async () => ({
      close: async () => {
        stopping.abort(new Error('the service is stopping'));
        await loop.stop();
      },
    }),
  };
}

function planOf(source: FeedSource | null, settings: Settings): FeedPlan {
  const chosen = settings.BOMTRAIL_ADVISORY_ECOSYSTEMS;
  return {
    origin: source && originOf(source),
    isOnDemand: source?.kind === 'on demand',
    chosen: chosen && new Set(chosen),
  };
}

/** What all feeds are loaded from, without credentials. */
function sourcesText(
  { origin }: FeedPlan,
  { BOMTRAIL_CVE_SOURCE: cveSource }: Settings,
  riskSources: readonly RiskSource[],
): string {
  const risk = riskSources.map(({ feed, address }) => [feed, withoutCredentials(address)]);
  return JSON.stringify({
    advisories: origin,
    cve: cveSource || null,
    ...Object.fromEntries(risk),
  });
}

function createLoop(
  deps: SweepDeps & Parameters<typeof loadFeed>[0],
  source: FeedSource | null,
  settings: Settings,
): FeedLoop {
  const { BOMTRAIL_ADVISORY_ECOSYSTEMS: chosen, BOMTRAIL_CVE_SOURCE: cveSource } = settings;
  return createFeedLoop({
    log: deps.log,
    leases: deps.leases,
    tracer: deps.tracer,
    sourcesInForce: deps.sourcesInForce,
    feed: deps.feed,
    starter: starterSource(),
    source,
    plan: deps.feedPlan,
    isConfigured: settings.BOMTRAIL_ADVISORY_SOURCE !== '',
    wanted: async () =>
      chosen ?? (await deps.wanted.list()).filter((one) => MATCHED_ECOSYSTEMS.includes(one)),
    release: () => releaseWaitingScans(deps),
    intervalSeconds: settings.BOMTRAIL_FEED_INTERVAL_SECONDS,
    cveRecords: cveSource === '' ? null : createCveRecordSource(cveSource),
    load: (source, signal) => loadFeed(deps, source, signal),
    remove: (label, signal) => removePart(deps, label, signal),
    adoptRules: (signal) => adoptRules(deps, signal),
    async applyChanges() {
      try {
        await applyAndPublish(deps);
      } catch (error) {
        deps.log.warn(
          { reason: (error as Error).message },
          'Advisory changes are not fully applied and published yet; the sweep will retry.',
        );
      }
      return isApplied(await deps.feed.read());
    },
  });
}
