import type { Witness } from '../witness';

/** When uploads were accepted. */
export interface UploadClock {
  /** The same witness, with an eye on the clock. */
  readonly witness: Witness;
  /** Milliseconds of the clock; 0: none yet. */
  last(): number;
  /** The first moment after this one, or Infinity. */
  firstAfter(moment: number): number;
  /** How many were accepted between two moments. */
  countIn(from: number, to: number): number;
  /** The longest time between two moments in which none was accepted, in milliseconds. */
  longestPause(from: number, to: number): number;
}

/** Notes the moment of every upload that the witness hears of, repeated ones too. */
export function createUploadClock(heard: Witness, now: () => number = Date.now): UploadClock {
  const moments: number[] = [];
  const within = (from: number, to: number): number[] =>
    moments.filter((moment) => moment > from && moment <= to);
  return {
    witness: {
      ...heard,
      acknowledged(operation) {
        heard.acknowledged(operation);
        if (operation.startsWith('upload') || operation === 'duplicate') moments.push(now());
      },
    },
    last: () => moments.at(-1) ?? 0,
    firstAfter: (moment) => moments.find((one) => one > moment) ?? Infinity,
    countIn: (from, to) => within(from, to).length,
    longestPause(from, to) {
      const marks = [from, ...within(from, to), to];
      return Math.max(...marks.slice(1).map((mark, index) => mark - (marks[index] ?? mark)));
    },
  };
}
