/** -1: the first precedes the second; 0: equal in order; 1: it follows. */
export type Ordering = -1 | 0 | 1;

/** Compares two versions of one ecosystem; null when either is unreadable. Never throws. */
export type Compare = (a: string, b: string) => Ordering | null;

/** A number of any size: `number` up to 15 digits, `bigint` above; `<` compares both exactly. */
export type Numeral = number | bigint;

/** No registry publishes longer versions; bounds the cost of hostile input. */
export const MAX_VERSION_LENGTH = 1024;

/** 15 digits fit into a double without loss. */
const MAX_EXACT_DIGITS = 15;

/** Parses a non-empty text of ASCII digits; leading zeros are allowed. */
export function readNumeral(digits: string): Numeral {
  return digits.length <= MAX_EXACT_DIGITS ? Number(digits) : BigInt(digits);
}

/** Orders two numbers, or two texts by UTF-16 code units. */
export function order<T extends Numeral | string>(a: T, b: T): Ordering {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares two lists by their first difference; the shorter one is padded with `filler`. */
export function orderFilled<T>(
  a: readonly T[],
  b: readonly T[],
  rule: { filler: T; compare: (x: T, y: T) => Ordering },
): Ordering {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const result = rule.compare(a[i] ?? rule.filler, b[i] ?? rule.filler);
    if (result !== 0) return result;
  }
  return 0;
}

/**
 * Combines a parser (null: unreadable) and an order of its results into a comparer; texts longer
 * than `MAX_VERSION_LENGTH` are unreadable.
 */
export function comparing<T>(
  parse: (text: string) => T | null,
  compareParsed: (a: T, b: T) => Ordering,
): Compare {
  return function compare(a, b) {
    if (a.length > MAX_VERSION_LENGTH || b.length > MAX_VERSION_LENGTH) return null;
    const left = parse(a);
    if (left === null) return null;
    const right = parse(b);
    return right === null ? null : compareParsed(left, right);
  };
}

/** Compares two lists by their first difference; a prefix precedes longer lists. */
export function orderPrefixed<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (x: T, y: T) => Ordering,
): Ordering {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const result = compare(a[i] as T, b[i] as T);
    if (result !== 0) return result;
  }
  return order(a.length, b.length);
}
