import { LRUCache } from 'lru-cache';
import { addressGroup } from '../clients/client-address';

/** Bounds the memory: of more addresses in one minute those that failed longest ago are forgotten. */
const maxAddresses = 10_000;
/**
 * Wrong keys that a locked-out address may still have looked for in the database, in a minute. A key
 * that is valid takes none of them, so that this bounds who makes keys up, not who shares his address.
 */
const looksWhileLocked = 60;
const windowMs = 60_000;

/** How many wrong keys came from each address lately, as this process saw them. */
export interface FailedKeys {
  /** Seconds until wrong keys of this address are heard again; 0: they are. */
  lockedFor(address: string | null): number;
  /**
   * Counts a wrong key.
   *
   * @returns `first` once, with the wrong key that locks the address out
   */
  count(address: string | null): { lockedFor: number; first: boolean };
  /** May the database be asked for a key of this locked-out address? Takes one of the few looks. */
  takeLook(address: string | null): boolean;
  /** The key that was looked for is a valid one. */
  giveLookBack(address: string | null): void;
}

interface Failures {
  since: number;
  failed: number;
  looks: number;
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

  function lockedFor(failures: Failures | undefined): number {
    if (!failures || perMinute === 0 || failures.failed <= perMinute) return 0;
    return Math.max(1, Math.ceil((failures.since + windowMs - now()) / 1_000));
  }

  return {
    // With one wrong key more than may be, not with the last one that may.
    lockedFor: (address) => lockedFor(of(address)),
    count(address) {
      const failures = of(address) ?? { since: now(), failed: 0, looks: looksWhileLocked };
      failures.failed += 1;
      addresses.set(addressGroup(address ?? ''), failures);
      const wait = lockedFor(failures);
      return { lockedFor: wait, first: wait > 0 && failures.failed === perMinute + 1 };
    },
    takeLook(address) {
      const failures = of(address);
      if (!failures) return true;
      if (failures.looks === 0) return false;
      failures.looks -= 1;
      return true;
    },
    giveLookBack(address) {
      const failures = of(address);
      if (failures) failures.looks = Math.min(looksWhileLocked, failures.looks + 1);
    },
  };
}
