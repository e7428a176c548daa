import { holdLease, type Kit, type Leases, type Tenure } from '@bomtrail/service-kit';
import type { AlertRuleStore } from '../store/alert-rule-store';
import { projectServiceStates, type ServiceState } from '../use-cases/project-service-states';
import { createAlarm } from './alarm';
import { createRuleRuns, type RuleRuns, type RuleRunsDeps } from './rule-runs';

export interface SchedulerDeps extends RuleRunsDeps {
  rules: Pick<AlertRuleStore, 'find' | 'enabled' | 'awaitingAttempt'>;
  leases: Leases;
  /** Are the process's own connections up? */
  checks: Kit['checks'];
}

export interface SchedulerTimes {
  /** Between two checks of all rules (`ALERT_CHECK_INTERVAL_SECONDS`). */
  checkSeconds: number;
  /** The lease of the process that checks; another one takes over so long after its death at the latest. */
  leaseSeconds: number;
  /** What was begun has so long to end when the process stops. */
  stopSeconds: number;
}

export interface Scheduler {
  /** Begins no further look, ends what was begun, gives the lease back. */
  stop(): Promise<void>;
}

export const alertLease = 'check-alert-rules';

/** A check that failed for want of another service is made again after so long, or at the next check. */
const repeatFailedMs = 30_000;
/** Rules that one question to the database gives. */
const rulesAtOnce = 500;
/** Retries that one question to the database gives. */
const retriesAtOnce = 200;
/** A process that waits for the lease asks so often within the time of a lease. */
const attemptsPerLease = 3;
/** A rule that another process changed, or that it was asked to try anew, is noticed after so long. */
const longestSleepMs = 10_000;
/** For so long the ledgers of a project that were read for one rule serve the others too. */
const statesSharedMs = 5_000;

/**
 * Looks at all enabled rules at the start and then periodically, and in between at those whose retry is due, in one
 * process at a time. Stops at once where the lease is lost, and waits for it anew.
 */
export function startScheduler(deps: SchedulerDeps, times: SchedulerTimes): Scheduler {
  const stopping = new AbortController();
  const tooLate = new AbortController();
  const alarm = createAlarm();

  async function lead(tenure: Tenure): Promise<void> {
    const over = new AbortController();
    const runs = createRuleRuns(deps, tenure, {
      begin: AbortSignal.any([stopping.signal, tenure.lost, over.signal]),
      work: AbortSignal.any([tooLate.signal, tenure.lost]),
      onEnd: alarm.ring,
    });
    const onLost = (): void => alarm.ring();
    tenure.lost.addEventListener('abort', onLost, { once: true });
    try {
      await keepChecking(tenure, runs);
    } finally {
      // What waits for its turn is left to the next tenure: a slow target's queue must not hold the lease.
      over.abort(new Error('This time of checking is over.'));
      await runs.finished();
    }
  }

  async function keepChecking(tenure: Tenure, runs: RuleRuns): Promise<void> {
    let nextCheck = 0;
    while (!stopping.signal.aborted && !tenure.lost.aborted) {
      // Cut off from the others it can tell nothing: another process may.
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

  /** Gives after how many milliseconds the next retry is due. */
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

  /** Rules of one project that are looked at together ask for its ledgers once. */
  function sharedStates(): (projectId: string) => Promise<ServiceState[]> {
    const shared = new Map<string, { until: number; states: Promise<ServiceState[]> }>();
    return (projectId) => {
      const now = performance.now();
      const known = shared.get(projectId);
      if (known && known.until > now) return known.states;
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
        deps.log.warn({ reason }, 'The check of alert rules failed; it runs again.');
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
        tooLate.abort(new Error('The process has no more time.'));
      }, times.stopSeconds * 1000);
      alarm.ring();
      await running;
      clearTimeout(deadline);
    },
  };
}
