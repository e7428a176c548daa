import type { Leases, Logger } from '@bomtrail/service-kit';
import { isSettled, type FeedStateStore } from '../store/feed-state-store';
import type { LoadReport } from '../use-cases/load-feed';
import { underLease } from '../work/under-lease';
import type { AdvisorySource } from './source';

export interface FeedLoopDeps {
  log: Logger;
  leases: Leases;
  feed: FeedStateStore;
  starter: AdvisorySource;
  /** The feed behind the starter set, null when there is to be none. */
  source: AdvisorySource | null;
  /** Whether a person named the source: then its failures are warnings and tried again soon. */
  isConfigured: boolean;
  intervalSeconds: number;
  load(source: AdvisorySource, signal: AbortSignal): Promise<LoadReport>;
  /** Settles the revision in force and tells of it; false when that is not done yet. Rejects only with the database. */
  settle(): Promise<boolean>;
}

/** Keeps the advisories up to date until it is stopped. */
export interface FeedLoop {
  start(): void;
  /** Resolves once some advisories are loaded, by this process or another one. */
  loaded(): Promise<void>;
  stop(): Promise<void>;
}

const pollMs = 250;
/** Another process is at it; should it die, its lease is free by then. */
const elsewhereSeconds = 60;
const firstRetrySeconds = 30;
const unsettledSeconds = 15;

export function createFeedLoop(deps: FeedLoopDeps): FeedLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  async function lookOnce(): Promise<Outcome> {
    try {
      const lease = { name: 'feed', signal };
      return (await underLease(deps.leases, lease, (held) => look(deps, held))) ?? 'elsewhere';
    } catch (error) {
      if (!signal.aborted)
        deps.log.error({ err: error }, 'The look at the advisory feed broke off; it is repeated.');
      return 'failed';
    }
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const outcome = await lookOnce();
      failures = outcome === 'failed' ? failures + 1 : 0;
      await pause(pauseSeconds(deps, outcome, failures) * 1000, signal);
    }
  }

  return {
    start() {
      running = run();
    },
    async loaded() {
      while (!signal.aborted && (await deps.feed.read()).data === 'none')
        await pause(pollMs, signal);
    },
    async stop() {
      stopping.abort(new Error('the service is stopping'));
      await running;
    },
  };
}

type Outcome = 'done' | 'failed' | 'elsewhere' | 'unsettled';

function pauseSeconds(deps: FeedLoopDeps, outcome: Outcome, failures: number): number {
  const { intervalSeconds } = deps;
  if (outcome === 'elsewhere') return Math.min(intervalSeconds, elsewhereSeconds);
  if (outcome === 'unsettled') return Math.min(intervalSeconds, unsettledSeconds);
  if (outcome === 'done' || !deps.isConfigured) return intervalSeconds;
  return Math.min(intervalSeconds, firstRetrySeconds * 2 ** (failures - 1));
}

/** No load begins before the revision in force is settled: its changes would hide those still open. */
async function look(deps: FeedLoopDeps, signal: AbortSignal): Promise<Outcome> {
  const before = await deps.feed.read();
  if (!isSettled(before) && !(await deps.settle())) return 'unsettled';
  // Something true at once, unless a person chose what is to be shown first.
  if (before.data === 'none' && !(deps.source && deps.isConfigured))
    await loadStarter(deps, signal);
  const isFine = deps.source === null || (await loadSource(deps, deps.source, signal));
  const after = await deps.feed.read();
  if (!isSettled(after)) return 'unsettled';
  if (after.data !== 'feed') await loadStarter(deps, signal);
  return isFine ? 'done' : 'failed';
}

async function loadStarter(deps: FeedLoopDeps, signal: AbortSignal): Promise<void> {
  const report = await deps.load(deps.starter, signal);
  for (const failure of report.failures)
    deps.log.error(failure, 'A part of the built-in starter set of advisories cannot be read.');
  if (!report.committed) return;
  deps.log.info('The built-in starter set of advisories is loaded.');
  await deps.settle();
}

/** False when the source, or a part of it, could not be taken. */
async function loadSource(
  deps: FeedLoopDeps,
  source: AdvisorySource,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { committed, changed, failures } = await deps.load(source, signal);
    if (committed) {
      deps.log.info({ changed }, 'The advisories have a new revision.');
      await deps.settle();
    }
    for (const [reason, labels] of byReason(failures))
      tellFailure(deps, source, { reason, labels });
    if (failures.length === 0) await deps.feed.noteChecked();
    return failures.length === 0;
  } catch (error) {
    signal.throwIfAborted();
    tellFailure(deps, source, { reason: (error as Error).message, labels: [] });
    return false;
  }
}

function byReason(failures: LoadReport['failures']): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const { label, reason } of failures)
    reasons.set(reason, [...(reasons.get(reason) ?? []), label]);
  return reasons;
}

/** One line that says what failed, what is in force and what to do. */
function tellFailure(
  deps: FeedLoopDeps,
  source: AdvisorySource,
  failure: { reason: string; labels: string[] },
): void {
  const { reason, labels } = failure;
  const what = labels.length > 0 ? ` (${labels.join(', ')})` : '';
  const fields = { reason, parts: labels, source: source.origin };
  if (deps.isConfigured) {
    deps.log.warn(
      fields,
      `The advisory feed${what} was not taken: ${reason}. The advisories held before stay in force. Check BOMTRAIL_ADVISORY_SOURCE; it is tried again.`,
    );
  } else {
    deps.log.info(
      fields,
      `OSV's public export${what} was not taken: ${reason}. The advisories held before stay in force. On a machine without internet set BOMTRAIL_ADVISORY_SOURCE to a copy, or to "starter".`,
    );
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
