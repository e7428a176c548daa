import { sequence } from '../sequence';

/** Shares of calls, from 0 to 1, that a fake does not serve; together at most 1. */
export interface FaultShares {
  /** 429 with Retry-After. */
  limited: number;
  /** 429 without Retry-After, as from a proxy. */
  limitedMutely: number;
  /** 500. */
  failing: number;
  /** No response, nothing is stored. */
  hanging: number;
  /** Stored, but the connection is cut before the response. */
  cutAfter: number;
}

export const noFaults: FaultShares = {
  limited: 0,
  limitedMutely: 0,
  failing: 0,
  hanging: 0,
  cutAfter: 0,
};

/** A bad day of a chat service: 429 for a third of the calls, 500 for a tenth, and some hang. */
export const badDay: FaultShares = {
  ...noFaults,
  limited: 1 / 3,
  failing: 1 / 10,
  hanging: 1 / 50,
};

export type Fate = 'served' | keyof FaultShares;

const faultKinds = ['limited', 'failing', 'hanging', 'cutAfter', 'limitedMutely'] as const;

const grain = 1_000_000;

/** Draws the fate of each call, deterministic per seed. */
export function fates(seed: number): (shares: FaultShares) => Fate {
  const draw = sequence(seed);
  return (shares) => {
    let drawn = draw(grain) / grain;
    for (const fate of faultKinds) {
      if (drawn < shares[fate]) return fate;
      drawn -= shares[fate];
    }
    return 'served';
  };
}
