import { holdLease, type Leases, type Logger } from '@bomtrail/service-kit';

/**
 * Runs work that must run once at a time over all processes, however long it takes: the lease is
 * renewed meanwhile, and losing it aborts the signal that the work is given.
 *
 * @returns what the work gives, null when another process is at it
 */
export async function underLease<Result>(
  deps: { leases: Leases; log: Logger },
  { name, signal }: { name: string; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const tenure = await holdLease(deps, { name });
  if (!tenure) return null;
  try {
    return await work(AbortSignal.any([signal, tenure.lost]));
  } finally {
    await tenure.end();
  }
}
