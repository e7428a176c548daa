import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@bomtrail/telemetry';
import { LeaseLost, type Lease, type Leases } from './lease';

/** A lease held and renewed by this process. */
export interface Tenure extends Pick<Lease, 'guard'> {
  readonly token: number;
  /** Aborts as soon as the lease is or may be lost. */
  readonly lost: AbortSignal;
  /**
   * Checks the clock, so that it is correct in a paused process whose timers have not fired yet.
   *
   * @throws LeaseLost unless the lease is held now
   */
  assertHeld(): void;
  /** Releases the lease. */
  end(): Promise<void>;
}

/** Renewals per lease duration: two may fail. */
const renewalsPerLease = 3;
/**
 * Default lease duration: after it another process takes over from a killed one. Longer than a MongoDB election
 * (about 12 seconds).
 */
const defaultSeconds = 20;
const retryMs = 200;

interface LeaseDeps {
  leases: Leases;
  log: Logger;
}

/** Waits for the lease, then holds it like `holdLease`. */
export async function awaitLease(deps: LeaseDeps, name: string): Promise<Tenure> {
  for (;;) {
    const tenure = await holdLease(deps, { name });
    if (tenure) return tenure;
    await sleep(retryMs);
  }
}

/**
 * Acquires the lease and renews it until `end`; null while another process has it.
 *
 * @param lease.seconds lease duration, by default 20: how long it stays taken after its owner died
 */
export async function holdLease(
  deps: LeaseDeps,
  lease: { name: string; seconds?: number },
): Promise<Tenure | null> {
  const { name, seconds = defaultSeconds } = lease;
  const lost = new AbortController();
  const leaseMs = seconds * 1000;
  // Measured from before the request, so that it ends before the lease in the database does.
  let validUntil = performance.now() + leaseMs;
  const held = await deps.leases.acquire(name, seconds);
  if (held === null) return null;

  const isHeld = (): boolean => !lost.signal.aborted && performance.now() < validUntil;
  const lose = (why: string): void => {
    if (lost.signal.aborted) return;
    deps.log.warn({ lease: name, token: held.token, why }, 'The lease is lost; stopping its work.');
    lost.abort(new LeaseLost(name));
  };
  // Without a timely renewal the work under the lease is aborted when it expires.
  let end: NodeJS.Timeout | undefined;
  const extendUntil = (time: number): void => {
    validUntil = time;
    clearTimeout(end);
    const left = Math.max(0, time - performance.now());
    end = setTimeout(() => lose('It could not be renewed in time.'), left);
  };
  extendUntil(validUntil);
  let renewing: Promise<void> | null = null;
  const renew = async (): Promise<void> => {
    if (!isHeld()) return;
    const from = performance.now();
    try {
      if (await held.renew(seconds)) extendUntil(from + leaseMs);
      else lose('Another process has taken it.');
    } catch (error) {
      deps.log.warn({ lease: name, reason: (error as Error).message }, 'A lease was not renewed.');
    }
  };
  const tick = setInterval(() => {
    renewing ??= renew().finally(() => (renewing = null));
  }, leaseMs / renewalsPerLease);

  return {
    token: held.token,
    lost: lost.signal,
    assertHeld() {
      if (!isHeld()) throw new LeaseLost(name);
    },
    async guard(session) {
      try {
        await held.guard(session);
      } catch (error) {
        if (error instanceof LeaseLost) lose('Another process has taken it.');
        throw error;
      }
    },
    async end() {
      clearInterval(tick);
      clearTimeout(end);
      await renewing;
      await held.release();
    },
  };
}
