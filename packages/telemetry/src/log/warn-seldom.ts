import type { Logger } from './logger';
import { seldom } from './seldom';

/** How often a service repeats the same warning while it waits for a server. */
const waitingEveryMs = 60_000;

/**
 * Creates a log for what fails again and again while a server is away: the first line of a message and reason is a
 * warning, as is one a minute after it; the others are debug lines.
 */
export function createSeldomWarning(
  log: Logger,
): (fields: { reason: string; [field: string]: unknown }, message: string) => void {
  const isNews = seldom(waitingEveryMs);
  return (fields, message) => {
    const level = isNews(`${message} ${fields.reason}`) ? 'warn' : 'debug';
    log[level](fields, message);
  };
}
