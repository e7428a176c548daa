import type { Lease, Leases } from '@bomtrail/service-kit';

const leaseSeconds = 60;
const renewMs = 15_000;

/**
 * Runs work that must run once at a time over all processes, however long it takes: the lease is
 * renewed meanwhile, and losing it aborts the signal that the work is given.
 *
 * @returns what the work gives, null when another process is at it
 */
export async function underLease<Result>(
  leases: Leases,
  lease: { name: string; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const acquired = await leases.acquire(lease.name, leaseSeconds);
  if (!acquired) return null;
  const held = hold(acquired, lease.signal);
  try {
    return await work(held.signal);
  } finally {
    held.end();
    await acquired.release();
  }
}

function hold(lease: Lease, outer: AbortSignal): { signal: AbortSignal; end(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    lease.renew(leaseSeconds).then(
      (isHeld) => {
        if (!isHeld) lost.abort(new Error('the lease was lost to another process'));
      },
      (error: unknown) => lost.abort(error),
    );
  }, renewMs);
  return { signal: AbortSignal.any([outer, lost.signal]), end: () => clearInterval(timer) };
}
