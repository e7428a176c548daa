const firstRetrySeconds = 20;
const lastRetrySeconds = 600;

/** Lines a second that re-scans bring up to date at least; what waits behind others is not asked for again before its turn. */
const slowestRescansPerSecond = 50;

/** When a re-scan that was asked for behind `ahead` others is asked for again for the first time. */
export function firstRescanRetry(now: Date, ahead: number): Date {
  const turn = Math.min(ahead / slowestRescansPerSecond, lastRetrySeconds);
  return new Date(nextRetry(now, 0).getTime() + turn * 1000);
}

/** When a scan that was asked for is asked for again: after 20 s, then twice as long each time, at most 10 min. */
export function nextRetry(now: Date, requests: number): Date {
  const seconds = Math.min(firstRetrySeconds * 2 ** Math.min(requests, 10), lastRetrySeconds);
  return new Date(now.getTime() + seconds * 1000);
}

/** A queue that is no longer than this is worked off in some seconds. */
const shortQueue = 100;

/**
 * Before when a scan must have been due to be asked for again. While a long queue waits it is most
 * likely in there, and only what is overdue by far is asked for.
 *
 * @param queued messages that wait
 */
export function dueWhileQueued(now: Date, queued: number): Date {
  return queued <= shortQueue ? now : new Date(now.getTime() - lastRetrySeconds * 1000);
}
