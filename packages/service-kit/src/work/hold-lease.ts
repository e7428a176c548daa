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

/** Takes the lease and holds it until `end`, renewing it; null while another process has it. */
export async function holdLease(
  deps: { leases: Leases; log: Logger },
  lease: { name: string; seconds: number },
): Promise<Tenure | null> {
  const lost = new AbortController();
  const leaseMs = lease.seconds * 1000;
  // Counted from before the question: by the database's clock the lease ends later.
  let heldUntil = performance.now() + leaseMs;
  const held = await deps.leases.acquire(lease.name, lease.seconds);
  if (held === null) return null;

  const isHeld = (): boolean => !lost.signal.aborted && performance.now() < heldUntil;
  const lose = (why: string): void => {
    if (lost.signal.aborted) return;
    deps.log.warn({ lease: lease.name, token: held.token, why }, 'The lease is lost: stopping.');
    lost.abort(new LeaseLost(lease.name));
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
      if (await held.renew(lease.seconds)) holdUntil(from + leaseMs);
      else lose('Another process has taken it.');
    } catch (error) {
      deps.log.warn(
        { lease: lease.name, reason: (error as Error).message },
        'A lease was not renewed.',
      );
    }
  };
  const tick = setInterval(() => {
    renewing ??= renew().finally(() => (renewing = null));
  }, leaseMs / renewalsPerLease);

  return {
    token: held.token,
    lost: lost.signal,
    assertHeld() {
      if (!isHeld()) throw new LeaseLost(lease.name);
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
