import { holdLease, type Leases } from '@bomtrail/mongo';
import type { Logger } from '@bomtrail/telemetry';

/**
 * Runs work in at most one process at a time. The lease is renewed meanwhile; losing it aborts the
 * signal passed to the work. In a process that was paused the signal is late: before it writes what another process may
 * have changed meanwhile, work calls `assertHeld`, which throws LeaseLost.
 *
 * @returns the result, null when another process holds the lease
 */
export async function underLease<Result>(
  deps: { leases: Leases; log: Logger },
  { name, signal }: { name: string; signal: AbortSignal },
  work: (signal: AbortSignal, assertHeld: () => void) => Promise<Result>,
): Promise<Result | null> {
  const tenure = await holdLease(deps, { name });
  if (!tenure) return null;
  try {
    return await work(AbortSignal.any([signal, tenure.lost]), tenure.assertHeld);
  } finally {
    await tenure.end();
  }
}
