import { createSeldomWarning, type Logger } from '@bomtrail/telemetry';
import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import { metricWithinMs, watchValue } from '../metrics/watch-value';

/** Leases and the expiry of decisions are exact to about as much. */
const maxDifferenceSeconds = 5;
const everyMs = 60_000;

/** How far the clock of the database server is ahead of `now`, in seconds; negative: behind. */
export async function clockDifference(db: Db, now: () => number): Promise<number> {
  const before = now();
  const signal = AbortSignal.timeout(metricWithinMs);
  const { localTime } = await db.command({ hello: 1 }, { signal });
  const after = now();
  const seconds = ((localTime as Date).getTime() - (before + after) / 2) / 1000;
  // The server may have answered at any time between the two.
  const uncertain = (after - before) / 2_000;
  return Math.abs(seconds) <= uncertain ? 0 : seconds;
}

/**
 * Watches how far the clocks of this process and of the database server differ: decisions and leases expire by the
 * server's, all else happens by the process's. Returns what ends it.
 *
 * @param now clock of the process, in milliseconds
 */
export function watchClock(
  { db, registry, log }: { db: Db; registry: Registry; log: Logger },
  now: () => number = Date.now,
): () => void {
  const warn = createSeldomWarning(log);
  watchValue(
    registry,
    {
      name: 'bomtrail_database_clock_ahead_seconds',
      help: 'How far the clock of the database server is ahead of the clock of this process; negative: behind',
    },
    async () => [{ value: await clockDifference(db, now) }],
  );
  async function compare(): Promise<void> {
    const seconds = await clockDifference(db, now);
    if (Math.abs(seconds) <= maxDifferenceSeconds) return;
    const reason = seconds > 0 ? 'The database server is ahead.' : 'The database server is behind.';
    warn(
      { reason, seconds: Math.round(seconds) },
      'The clocks of this machine and of the database server differ: decisions expire earlier or later than shown. Synchronise both.',
    );
  }
  // A database that does not answer is reported by others.
  const run = (): void => void compare().catch(() => undefined);
  run();
  const timer = setInterval(run, everyMs).unref();
  return () => clearInterval(timer);
}
