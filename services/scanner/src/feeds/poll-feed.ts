import { ecosystemsOf } from './domain/feed-verdict';
import { loadsToAwait, type FeedPlan } from './domain/feed-waiting';
import { isStarterLabel } from './domain/merge-record';
import { isApplied, type FeedState } from './domain/feed-state';
import type { FeedStateStore } from './store/feed-state-store';
import type { LoadReport } from './load-feed';
import { pollCveRecords, type PollCveRecordsDeps } from './poll-cve-records';
import { originOf, type AdvisorySource, type FeedSource } from './sources/source';

export interface PollDeps extends PollCveRecordsDeps {
  feed: FeedStateStore;
  starter: AdvisorySource;
  /** The configured feed, null for the starter set only. */
  source: FeedSource | null;
  plan: FeedPlan;
  /** Whether the source was configured: then failures are warnings and retried soon. */
  isConfigured: boolean;
  /** Ecosystems to load from an on-demand source. */
  wanted(): Promise<string[]>;
  /** Brings the matching rules of this process into force; false when they already are. */
  adoptRules(signal: AbortSignal): Promise<boolean>;
  /**
   * Applies and publishes the revision in force; false when that is not finished. Rejects on
   * database errors only.
   */
  applyChanges(): Promise<boolean>;
  /** Publishes the scans whose loads have finished. */
  release(): Promise<unknown>;
}

export type PollOutcome = 'done' | 'failed' | 'pending';

/** `all`: every ecosystem in use; `new`: only those never tried. */
export type PollScope = 'all' | 'new';

/**
 * Polls the feed and loads what is new. The revision in force must be applied first: a load would
 * overwrite its pending changes. The caller holds the lease.
 */
export async function pollFeed(
  deps: PollDeps,
  scope: PollScope,
  signal: AbortSignal,
): Promise<PollOutcome> {
  const before = await deps.feed.read();
  if (!isApplied(before) && !(await deps.applyChanges())) return 'pending';
  if ((await deps.adoptRules(signal)) && !(await deps.applyChanges())) return 'pending';
  const { source } = deps;
  if (source?.kind !== 'whole' && before.source_error) await deps.feed.recordSourceError(null);
  // The starter set gives results at once, unless a file source was configured.
  if (before.data === 'none' && source?.kind !== 'whole') await loadStarter(deps, signal);
  const isFine = source === null || (await loadFrom(deps, source, { scope, signal }));
  await deps.release();
  const after = await deps.feed.read();
  if (!isApplied(after)) return 'pending';
  if (source?.kind !== 'whole' || after.data !== 'feed') await loadStarter(deps, signal);
  if (scope === 'new') return isFine ? 'done' : 'failed';
  const rated = await deps.feed.read();
  if (!isApplied(rated)) return 'pending';
  const areRecordsFine = rated.data === 'none' || (await pollCveRecords(deps, signal));
  return isFine && areRecordsFine ? 'done' : 'failed';
}

/** Loads the starter set for ecosystems that the feed has not loaded. */
async function loadStarter(deps: PollDeps, signal: AbortSignal): Promise<void> {
  const { parts: known } = await deps.feed.read();
  const loaded = ecosystemsOf(known.filter(isLoadedFromFeed));
  const parts = (await deps.starter.list(signal)).filter(
    ({ covers }) => !covers.every((ecosystem) => loaded.has(ecosystem)),
  );
  if (parts.length === 0) return;
  const report = await deps.load({ ...deps.starter, list: async () => parts }, signal);
  for (const failure of report.failures)
    deps.log.error(failure, 'Failed to read a part of the built-in starter set of advisories.');
  if (!report.committed) return;
  deps.log.info('Loaded the built-in starter set of advisories.');
  await deps.applyChanges();
}

function isLoadedFromFeed({ label, fingerprint }: FeedState['parts'][number]): boolean {
  return fingerprint !== null && !isStarterLabel(label);
}

/** False when the source or one of its parts failed. */
async function loadFrom(
  deps: PollDeps,
  feed: FeedSource,
  poll: { scope: PollScope; signal: AbortSignal },
): Promise<boolean> {
  const { signal } = poll;
  let isFine = true;
  if (feed.kind === 'whole') {
    isFine = await loadSource(deps, feed.source, signal);
  } else {
    const wanted = await deps.wanted();
    const fresh = new Set(loadsToAwait(wanted, await deps.feed.read(), deps.plan));
    // Each ecosystem gets its own revision, so that waiting scans continue one by one.
    const round = feed.only([...fresh]);
    for (const part of await round.list(signal)) {
      const only = { ...round, list: async () => [part] };
      isFine = (await loadSource(deps, only, signal)) && isFine;
      await deps.release();
    }
    const known = wanted.filter((ecosystem) => !fresh.has(ecosystem));
    if (poll.scope === 'all' && known.length > 0)
      isFine = (await loadSource(deps, feed.only(known), signal)) && isFine;
  }
  await deps.feed.recordPoll(originOf(feed), { isFine });
  return isFine;
}

async function loadSource(
  deps: PollDeps,
  source: AdvisorySource,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { committed, changed, failures } = await deps.load(source, signal);
    if (!source.isLive) await deps.feed.recordSourceError(null);
    if (committed) {
      deps.log.info({ changed }, 'A new revision of the advisories is in force.');
      await deps.applyChanges();
    }
    for (const [reason, labels] of byReason(failures)) logFailure(deps, source, { reason, labels });
    return failures.length === 0;
  } catch (error) {
    signal.throwIfAborted();
    const reason = (error as Error).message;
    logFailure(deps, source, { reason, labels: [] });
    if (source.isLive) await recordFailure(deps, source, { reason, signal });
    else await deps.feed.recordSourceError(reason);
    return false;
  }
}

/** Scans must not wait for a load that failed as a whole. */
async function recordFailure(
  deps: PollDeps,
  source: AdvisorySource,
  failure: { reason: string; signal: AbortSignal },
): Promise<void> {
  for (const { label, covers } of await source.list(failure.signal))
    await deps.feed.recordFailure({ label, covers, origin: source.origin }, failure.reason);
}

function byReason(failures: LoadReport['failures']): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const { label, reason } of failures)
    reasons.set(reason, [...(reasons.get(reason) ?? []), label]);
  return reasons;
}

/** Logs what failed, which data stays in force and what to do. */
function logFailure(
  deps: PollDeps,
  source: AdvisorySource,
  failure: { reason: string; labels: string[] },
): void {
  const { reason, labels } = failure;
  const what = labels.length > 0 ? ` (${labels.join(', ')})` : '';
  const fields = { reason, parts: labels, source: source.origin };
  if (deps.isConfigured) {
    deps.log.warn(
      fields,
      `The advisory feed${what} could not be loaded: ${reason}. The advisories loaded before stay in force. Check BOMTRAIL_ADVISORY_SOURCE; loading will be retried.`,
    );
  } else {
    deps.log.info(
      fields,
      `OSV's public export${what} could not be loaded: ${reason}. The advisories loaded before stay in force. On a machine without internet set BOMTRAIL_ADVISORY_SOURCE to a copy, or to "starter".`,
    );
  }
}
