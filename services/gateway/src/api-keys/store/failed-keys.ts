import { addressGroup } from '@bomtrail/http-edge';
import { LRUCache } from 'lru-cache';

/** Bounds memory: beyond this number the addresses with the oldest failures are dropped. */
const maxAddresses = 10_000;
const windowMs = 60_000;

/** Recent invalid keys by address, in this process. */
export interface FailedKeys {
  /**
   * Counts an invalid key.
   *
   * @returns `lockedFor`: seconds until invalid keys of this address are checked again, 0: not
   * locked; `first`
   * once, for the key that locks the address
   */
  count(address: string | null): { lockedFor: number; first: boolean };
}

interface Failures {
  since: number;
  failed: number;
}

/**
 * Counts invalid keys by address in one-minute windows.
 *
 * @param options.perMinute maximum invalid keys before the lock; 0: no limit
 * @param options.now monotonic clock in milliseconds
 */
export function createFailedKeys(options: { perMinute: number; now?: () => number }): FailedKeys {
  const { perMinute, now = () => performance.now() } = options;
  const addresses = new LRUCache<string, Failures>({ max: maxAddresses });

  function of(address: string | null): Failures | undefined {
    const failures = addresses.get(addressGroup(address ?? ''));
    return failures && now() - failures.since < windowMs ? failures : undefined;
  }

  function lockedFor(failures: Failures): number {
    if (perMinute === 0 || failures.failed <= perMinute) return 0;
    return Math.max(1, Math.ceil((failures.since + windowMs - now()) / 1_000));
  }

  return {
    count(address) {
      const failures = of(address) ?? { since: now(), failed: 0 };
      failures.failed += 1;
      addresses.set(addressGroup(address ?? ''), failures);
      const wait = lockedFor(failures);
      return { lockedFor: wait, first: wait > 0 && failures.failed === perMinute + 1 };
    },
  };
}
