import { sequence } from '../sequence';

/** Shares of the calls, each from 0 to 1, that a fake does not serve; together at most 1. */
export interface FaultShares {
  /** Answered with 429 and Retry-After. */
  limited: number;
  /** Answered with 429 that says nothing of a time to wait, as a proxy before a service may. */
  limitedMutely: number;
  /** Answered with 500. */
  failing: number;
  /** Never answered; nothing is kept of them. */
  hanging: number;
  /** Kept, but the connection is cut in place of the answer: the sender cannot know. */
  cutAfter: number;
}

export const noFaults: FaultShares = {
  limited: 0,
  limitedMutely: 0,
  failing: 0,
  hanging: 0,
  cutAfter: 0,
};

/** As bad as a chat service is on a bad day: 429 for a third of the calls, 500 for a tenth, and some hang. */
export const badDay: FaultShares = {
  ...noFaults,
  limited: 1 / 3,
  failing: 1 / 10,
  hanging: 1 / 50,
};

export type Fate = 'served' | keyof FaultShares;

const faultKinds = ['limited', 'failing', 'hanging', 'cutAfter', 'limitedMutely'] as const;

const grain = 1_000_000;

/** Draws what happens to each call, the same in every run with this seed. */
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
