/** Smallest, middle and largest of several runs. */
export interface Spread {
  min: number;
  median: number;
  max: number;
}

/**
 * The nearest-rank percentile: the smallest value that at least `percent` per cent of the values do not
 * exceed, so always a value that was measured. `percent` is above 0 and at most 100. Throws a `RangeError`
 * when there are no values.
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1];
  if (value === undefined) throw new RangeError('a percentile needs at least one value');
  return value;
}

/** Of an even number of values, the median is the mean of the middle two. Throws without values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const low = sorted[Math.floor((sorted.length - 1) / 2)];
  const high = sorted[Math.ceil((sorted.length - 1) / 2)];
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined || low === undefined || high === undefined) {
    throw new RangeError('a spread needs at least one value');
  }
  return { min, median: (low + high) / 2, max };
}
