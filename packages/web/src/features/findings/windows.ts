/** Rows per request: three screens, or a large one. The next ones are read ahead. */
export const windowSize = 75;

/** Groups per request: a screen. What a group shows is added up for each. */
export const groupWindowSize = 25;

/**
 * Browsers draw nothing below some 33 million pixels: further rows are reached by narrowing the
 * list or turning its order round.
 */
export const mostRows = 900_000;

/** The windows (counted from 1, as the API counts pages) that hold the rows `first` to `last`. */
export function windowsOf(first: number, last: number, size = windowSize): number[] {
  const from = Math.floor(Math.max(first, 0) / size);
  const to = Math.floor(Math.max(last, 0) / size);
  return Array.from({ length: to - from + 1 }, (_, at) => from + at + 1);
}

/** Where a row is: its window, and its place in it. */
export function placeOf(row: number, size = windowSize): { window: number; at: number } {
  return { window: Math.floor(row / size) + 1, at: row % size };
}
