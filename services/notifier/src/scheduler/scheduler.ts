import { holdLease, type Leases, type Tenure } from '@bomtrail/mongo';
import type { Kit } from '@bomtrail/service-runtime';
import type { AlertRuleStore } from '../ports';
import { projectServiceStates, type ProjectStates } from '../use-cases/project-service-states';
import { createAlarm } from './alarm';
import { createRuleRuns, type RuleRuns, type RuleRunsDeps } from './rule-runs';

export interface SchedulerDeps extends RuleRunsDeps {
  rules: Pick<AlertRuleStore, 'find' | 'enabled' | 'awaitingAttempt'>;
  leases: Leases;
  /** State of the process's own connections. */
  checks: Kit['checks'];
}

export interface SchedulerTimes {
  /** Interval of checks of all rules (`ALERT_CHECK_INTERVAL_SECONDS`). */
  checkSeconds: number;
  /**
   * Duration of the lease of the checking process: another one takes over at most this long after
   * its death.
   */
  leaseSeconds: number;
  /** Time for running checks to end when the process stops. */
  stopSeconds: number;
}

export interface Scheduler {
  /** Starts no further check, ends running ones, releases the lease. */
  stop(): Promise<void>;
}

export const alertLease = 'check-alert-rules';

/**
 * Wait before repeating a check that failed because of another service, unless the next check is
 * earlier.
 */
const repeatFailedMs = 30_000;
/** Rules per database query. */
const rulesAtOnce = 500;
/** Retries per database query. */
const retriesAtOnce = 200;
/** Attempts to take the lease per lease duration. */
const attemptsPerLease = 3;
/** Maximum delay until a rule changed by another process is noticed. */
const longestSleepMs = 10_000;
/** How long service states read for one rule are reused for the others of its project. */
const statesSharedMs = 5_000;

/**
 * Checks all enabled rules at start and then periodically, and rules with a due retry in between,
 * in one process at a time. Stops as soon as the lease is lost, and waits for it again.
 */
export function startScheduler(deps: SchedulerDeps, times: SchedulerTimes): Scheduler {
  const stopping = new AbortController();
  const graceOver = new AbortController();
  const alarm = createAlarm();

  async function lead(tenure: Tenure): Promise<void> {
    const over = new AbortController();
    const runs = createRuleRuns(deps, tenure, {
      begin: AbortSignal.any([stopping.signal, tenure.lost, over.signal]),
      work: AbortSignal.any([graceOver.signal, tenure.lost]),
      onEnd: alarm.ring,
    });
    const onLost = (): void => alarm.ring();
    tenure.lost.addEventListener('abort', onLost, { once: true });
    try {
      await keepChecking(tenure, runs);
    } finally {
      // Waiting checks are left to the next tenure: the queue of a slow target must not keep the
      // lease.
      over.abort(new Error('This tenure is over.'));
      await runs.finished();
    }
  }

  async function keepChecking(tenure: Tenure, runs: RuleRuns): Promise<void> {
    let nextCheck = 0;
    while (!stopping.signal.aborted && !tenure.lost.aborted) {
      // A process without connections leaves the work to another.
      if (runs.failed().length > 0 && !(await isConnected())) return;
      if (performance.now() >= nextCheck) {
        nextCheck = performance.now() + times.checkSeconds * 1000;
        deps.metrics.lastCheck.setToCurrentTime();
        runs.clearFailed();
        await checkAll(runs);
      }
      if (runs.failed().length > 0) {
        nextCheck = Math.min(nextCheck, performance.now() + repeatFailedMs);
      }
      const nextRetry = await startRetries(runs);
      await alarm.sleep(Math.min(nextCheck - performance.now(), nextRetry, longestSleepMs));
    }
  }

  async function isConnected(): Promise<boolean> {
    return Object.values(await deps.checks()).every((state) => state === 'up');
  }

  async function checkAll(runs: RuleRuns): Promise<void> {
    const statesOf = sharedStates();
    let after = '';
    for (;;) {
      const page = await deps.rules.enabled(after, rulesAtOnce);
      for (const ruleId of page) runs.start(ruleId, statesOf);
      if (page.length < rulesAtOnce) return;
      after = page.at(-1) ?? '';
    }
  }

  /** Starts due retries; returns the milliseconds until the next one. */
  async function startRetries(runs: RuleRuns): Promise<number> {
    const statesOf = sharedStates();
    const notNow = [...runs.running(), ...runs.failed()];
    const waiting = await deps.rules.awaitingAttempt(notNow, retriesAtOnce);
    const now = deps.now().getTime();
    for (const { ruleId, at } of waiting) {
      if (at.getTime() > now) return at.getTime() - now;
      runs.start(ruleId, statesOf);
    }
    return Infinity;
  }

  /** Rules of one project that are checked together share its service states. */
  function sharedStates(): (projectId: string) => Promise<ProjectStates> {
    const shared = new Map<string, { until: number; states: Promise<ProjectStates> }>();
    return (projectId) => {
      const now = performance.now();
      const cached = shared.get(projectId);
      if (cached && cached.until > now) return cached.states;
      const states = projectServiceStates(deps.request, projectId);
      shared.set(projectId, { until: now + statesSharedMs, states });
      return states;
    };
  }

  const running = (async () => {
    const lease = { name: alertLease, seconds: times.leaseSeconds };
    while (!stopping.signal.aborted) {
      let tenure: Tenure | null = null;
      try {
        tenure = await holdLease(deps, lease);
        if (tenure) await lead(tenure);
      } catch (error) {
        const reason = (error as Error).message;
        deps.log.warn({ reason }, 'Checking alert rules failed; it will be repeated.');
      } finally {
        deps.metrics.lastCheck.set(0);
        await tenure?.end().catch(() => undefined);
      }
      if (!stopping.signal.aborted)
        await alarm.sleep((times.leaseSeconds * 1000) / attemptsPerLease);
    }
  })();

  return {
    async stop() {
      stopping.abort(new Error('The process stops.'));
      const deadline = setTimeout(() => {
        graceOver.abort(new Error('The shutdown grace is over.'));
      }, times.stopSeconds * 1000);
      alarm.ring();
      await running;
      clearTimeout(deadline);
    },
  };
}
