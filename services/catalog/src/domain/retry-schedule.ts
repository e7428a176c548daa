const firstRetrySeconds = 20;
const lastRetrySeconds = 600;

/**
 * Minimum services re-scanned per second; a re-scan is not requested again before its turn can have
 * come.
 */
const slowestRescansPerSecond = 50;

/** First retry time of a re-scan requested behind `ahead` others. */
export function firstRescanRetry(now: Date, ahead: number): Date {
  const waitSeconds = Math.min(ahead / slowestRescansPerSecond, lastRetrySeconds);
  return new Date(nextRetry(now, 0).getTime() + waitSeconds * 1000);
}

/** Next retry time of a scan: after 20 s, doubled each time, at most 10 min. */
export function nextRetry(now: Date, requests: number): Date {
  const seconds = Math.min(firstRetrySeconds * 2 ** Math.min(requests, 10), lastRetrySeconds);
  return new Date(now.getTime() + seconds * 1000);
}

/** Queues up to this length are processed within seconds. */
const shortQueue = 100;

/**
 * Scans due before this time are requested again. If the queue is long, a scan is probably still in
 * it, so only long overdue ones are.
 *
 * @param queued waiting messages
 */
export function dueWhileQueued(now: Date, queued: number): Date {
  return queued <= shortQueue ? now : new Date(now.getTime() - lastRetrySeconds * 1000);
}
