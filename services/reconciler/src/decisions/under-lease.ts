import type { Leases } from '@bomtrail/mongo';

/** If the process does not renew the lease in this time, another one takes over. */
const leaseSeconds = 10;

/** Runs work in one process at a time; null: another one is at it. */
export async function underLease<Result>(
  leases: Leases,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  const lease = await leases.acquire(name, leaseSeconds);
  if (!lease) return null;
  const renew = (): void => void lease.renew(leaseSeconds).catch(() => undefined);
  const renewal = setInterval(renew, (leaseSeconds * 1000) / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await lease.release();
  }
}
