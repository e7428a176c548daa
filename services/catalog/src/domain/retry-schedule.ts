const firstRetrySeconds = 20;
const lastRetrySeconds = 600;

/** When a scan that was asked for is asked for again: after 20 s, then twice as long each time, at most 10 min. */
export function nextRetry(now: Date, requests: number): Date {
  const seconds = Math.min(firstRetrySeconds * 2 ** Math.min(requests, 10), lastRetrySeconds);
  return new Date(now.getTime() + seconds * 1000);
}
