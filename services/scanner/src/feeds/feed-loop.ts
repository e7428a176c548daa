import type { Leases } from '@bomtrail/mongo';
import { inNewContext, type Tracer } from '@bomtrail/telemetry';
import { hasCurrentRules, type FeedState } from './domain/feed-state';
import { underLease, type Held } from '../work/under-lease';
import { createFeedTriggers } from './feed-triggers';
import { pollFeed, type PollDeps, type PollOutcome, type PollScope } from './poll-feed';
import { pause } from './pause';
import type { SourcesInForce } from './sources-in-force';

export interface FeedLoopDeps extends PollDeps {
  leases: Leases;
  tracer: Tracer | undefined;
  sourcesInForce: SourcesInForce;
  intervalSeconds: number;
}

/** Keeps the advisories up to date until stopped. */
export interface FeedLoop {
  start(): void;
  /** Resolves once advisories and matching rules are in force, loaded by any process. */
  loaded(): Promise<void>;
  stop(): Promise<void>;
}

const pollMs = 250;
const wakeEveryMs = 1_000;
/** Another process is loading; if it dies, this process takes over within half a minute. */
const elsewhereSeconds = 10;
const firstRetrySeconds = 30;
const brokenSeconds = 5;
const pendingSeconds = 15;

/** `elsewhere`: it is up to another process; `broken`: the poll threw. */
type Outcome = PollOutcome | 'elsewhere' | 'broken';

export function createFeedLoop(deps: FeedLoopDeps): FeedLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const triggers = createFeedTriggers(deps, deps.source);
  let running: Promise<void> = Promise.resolve();

  function pollOnce(scope: PollScope): Promise<Outcome> {
    const start = () => ({
      name: 'poll the advisory feed',
      attributes: { 'bomtrail.scope': scope },
    });
    return inNewContext(deps.tracer, { start }, () => poll(scope));
  }

  async function poll(scope: PollScope): Promise<Outcome> {
    try {
      await triggers.reset();
      if (!(await deps.sourcesInForce())) return 'elsewhere';
      const lease = { name: 'feed', signal };
      const work = (held: Held) => pollFeed(deps, scope, held.signal);
      return (await underLease(deps, lease, work)) ?? 'elsewhere';
    } catch (error) {
      if (!signal.aborted)
        deps.log.error({ err: error }, 'Polling the advisory feed failed; it will be retried.');
      return 'broken';
    }
  }

  /** Waits for the interval or a trigger; returns the scope of the next poll. */
  async function waitForNext(outcome: Outcome, seconds: number): Promise<PollScope> {
    const until = Date.now() + seconds * 1000;
    while (!signal.aborted && Date.now() < until) {
      await pause(Math.min(wakeEveryMs, until - Date.now()), signal);
      if (outcome !== 'broken' && !signal.aborted && (await isTriggered())) return 'new';
    }
    return 'all';
  }

  async function isTriggered(): Promise<boolean> {
    try {
      return await triggers.isDue();
    } catch (error) {
      deps.log.debug({ err: error }, 'Failed to check whether a poll of the advisory feed is due.');
      return false;
    }
  }

  async function run(): Promise<void> {
    let failures = 0;
    let scope: PollScope = 'all';
    while (!signal.aborted) {
      const outcome = await pollOnce(scope);
      failures = outcome === 'failed' || outcome === 'broken' ? failures + 1 : 0;
      scope = await waitForNext(outcome, waitSeconds(deps, outcome, failures));
    }
  }

  return {
    start() {
      running = run();
    },
    async loaded() {
      while (!signal.aborted && !isUsable(await deps.feed.read())) await pause(pollMs, signal);
    },
    async stop() {
      stopping.abort(new Error('the service is stopping'));
      await running;
    },
  };
}

/** Results count only under the matching rules in force. */
function isUsable(state: FeedState): boolean {
  return state.data !== 'none' && hasCurrentRules(state);
}

function waitSeconds(deps: FeedLoopDeps, outcome: Outcome, failures: number): number {
  const { intervalSeconds } = deps;
  const growing = (first: number) => Math.min(intervalSeconds, first * 2 ** (failures - 1));
  switch (outcome) {
    case 'elsewhere':
      return Math.min(intervalSeconds, elsewhereSeconds);
    case 'pending':
      return Math.min(intervalSeconds, pendingSeconds);
    case 'broken':
      return growing(brokenSeconds);
    case 'failed':
      return deps.isConfigured ? growing(firstRetrySeconds) : intervalSeconds;
    case 'done':
      return intervalSeconds;
  }
}
