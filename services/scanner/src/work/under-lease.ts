import { holdLease, type Leases } from '@bomtrail/mongo';
import type { Logger } from '@bomtrail/telemetry';

/** The lease of work that runs in one process at a time. */
export interface Held {
  /** Aborts when the lease is lost, but late in a process that was paused. */
  signal: AbortSignal;
  /**
   * To be called before writes that another process may have made meanwhile.
   *
   * @throws the reason of the signal, or LeaseLost unless the lease is held now
   */
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
    const either = AbortSignal.any([signal, tenure.lost]);
    const assertHeld = (): void => {
      either.throwIfAborted();
      tenure.assertHeld();
    };
    return await work({ signal: either, assertHeld });
  } finally {
    await tenure.end();
  }
}
