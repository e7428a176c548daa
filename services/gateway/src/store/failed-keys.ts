import { addressGroup } from '@bomtrail/http-edge';
import { LRUCache } from 'lru-cache';

/** Bounds the memory: of more addresses in one minute those that failed longest ago are forgotten. */
const maxAddresses = 10_000;
const windowMs = 60_000;

/** How many wrong keys came from each address lately, as this process saw them. */
export interface FailedKeys {
  /**
   * Counts a wrong key.
   *
   * @returns `lockedFor`: seconds until wrong keys of this address are heard again, 0: they are; `first`
   *   once, with the wrong key that locks the address out
   */
  count(address: string | null): { lockedFor: number; first: boolean };
}

interface Failures {
  since: number;
  failed: number;
}

/**
 * Counts wrong keys by address in minutes that begin with the first one.
 *
 * @param options.perMinute wrong keys that are answered as such; 0: all of them
 * @param options.now milliseconds on a clock that never goes back
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
