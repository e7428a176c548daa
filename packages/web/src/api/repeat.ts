import { ApiError } from './errors';

/** Longer than this, somebody who waits is told instead. */
const longestWaitSeconds = 5;

/** Whether a read is repeated by itself: if that may help, and soon. */
export function isRepeated(failures: number, error: unknown): boolean {
  if (failures >= 2 || !isTransient(error)) return false;
  return (error.retryAfter ?? 0) <= longestWaitSeconds;
}

/** Milliseconds until it is: never before the server wants it. */
export function repeatDelay(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
  return 1000 * Math.max(2 ** failures, asked);
}

/** Whether repeating may help: not for what the server understood and refused. */
function isTransient(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    (error.status === 0 || [408, 429, 502, 503, 504].includes(error.status))
  );
}
