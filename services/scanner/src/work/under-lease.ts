import { holdLease, type Leases } from '@bomtrail/mongo';
import type { Logger } from '@bomtrail/telemetry';

/** The lease of work that runs in one process at a time. */
export interface Held {
  /** Aborts when the lease is lost, but late in a process that was paused. */
  signal: AbortSignal;
  /** Before what another process may have done meanwhile. @throws LeaseLost unless the lease is held now */
  assertHeld: () => void;
}

/**
 * Runs work in at most one process at a time. The lease is renewed meanwhile; losing it aborts the
 * signal passed to the work.
 *
 * @returns the result, null when another process holds the lease
 */
export async function underLease<Result>(
  deps: { leases: Leases; log: Logger },
  { name, signal }: { name: string; signal: AbortSignal },
  work: (held: Held) => Promise<Result>,
): Promise<Result | null> {
  const tenure = await holdLease(deps, { name });
  if (!tenure) return null;
  try {
    return await work({
      signal: AbortSignal.any([signal, tenure.lost]),
      assertHeld: tenure.assertHeld,
    });
  } finally {
    await tenure.end();
  }
}
