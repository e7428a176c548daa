import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../log/logger';
import { LeaseLost, type Lease, type Leases } from './lease';

/** The time for which this process alone does some work. */
export interface Tenure extends Pick<Lease, 'guard'> {
  readonly token: number;
  /** Aborted as soon as the lease is lost, or may be. */
  readonly lost: AbortSignal;
  /**
   * Looks at the clock, so that it is right in a process that was paused and whose timers have not run yet.
   *
   * @throws LeaseLost unless the lease is held now
   */
  assertHeld(): void;
  /** Gives the lease back. */
  end(): Promise<void>;
}

/** Renewals within the time of a lease: two may fail. */
const renewalsPerLease = 3;
/**
 * What a process that was killed leaves undone is taken up by another one after so long; an election of
 * MongoDB, some twelve seconds, ends no lease.
 */
const usualSeconds = 20;
const askAgainMs = 200;

interface LeaseDeps {
  leases: Leases;
  log: Logger;
}

/** Waits until the lease is free, and holds it as `holdLease` does. */
export async function awaitLease(deps: LeaseDeps, name: string): Promise<Tenure> {
  for (;;) {
    const tenure = await holdLease(deps, { name });
    if (tenure) return tenure;
    await sleep(askAgainMs);
  }
}

/**
 * Takes the lease and holds it until `end`, renewing it; null while another process has it.
 *
 * @param lease.seconds for which it is taken at a time, 20 when omitted: so long it stays taken after its
 * holder has died
 */
export async function holdLease(
  deps: LeaseDeps,
  lease: { name: string; seconds?: number },
): Promise<Tenure | null> {
  const { name, seconds = usualSeconds } = lease;
  const lost = new AbortController();
  const leaseMs = seconds * 1000;
  // Counted from before the question: by the database's clock the lease ends later.
  let heldUntil = performance.now() + leaseMs;
  const held = await deps.leases.acquire(name, seconds);
  if (held === null) return null;

  const isHeld = (): boolean => !lost.signal.aborted && performance.now() < heldUntil;
  const lose = (why: string): void => {
    if (lost.signal.aborted) return;
    deps.log.warn({ lease: name, token: held.token, why }, 'The lease is lost: stopping.');
    lost.abort(new LeaseLost(name));
  };
  // Where no renewal succeeds in time, whoever works under the lease is told at that moment.
  let end: NodeJS.Timeout | undefined;
  const holdUntil = (moment: number): void => {
    heldUntil = moment;
    clearTimeout(end);
    const left = Math.max(0, moment - performance.now());
    end = setTimeout(() => lose('It could not be renewed in time.'), left);
  };
  holdUntil(heldUntil);
  let renewing: Promise<void> | null = null;
  const renew = async (): Promise<void> => {
    if (!isHeld()) return;
    const from = performance.now();
    try {
      if (await held.renew(seconds)) holdUntil(from + leaseMs);
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
