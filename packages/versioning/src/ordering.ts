/** -1: the first stands before the second; 0: they are equal in order; 1: it stands after. */
export type Ordering = -1 | 0 | 1;

/**
 * Compares two version texts of one ecosystem; null when either cannot be read as a version of
 * that ecosystem. Never throws.
 */
export type Compare = (a: string, b: string) => Ordering | null;

/** A number of any size: `number` up to 15 digits, `bigint` above; `<` compares the two exactly. */
export type Numeral = number | bigint;

/** No registry publishes longer ones; the bound keeps the cost of a hostile text small. */
export const MAX_VERSION_LENGTH = 1024;

/** 15 digits always fit into a double without loss. */
const MAX_EXACT_DIGITS = 15;

/** Takes a non-empty text of ASCII digits, leading zeros allowed. */
export function readNumeral(digits: string): Numeral {
  return digits.length <= MAX_EXACT_DIGITS ? Number(digits) : BigInt(digits);
}

/** Orders two numbers, or two texts by UTF-16 code units (for ASCII: by character code). */
export function order<T extends Numeral | string>(a: T, b: T): Ordering {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The first difference of two lists; the shorter one is filled up with `filler`. */
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
 * Joins a reader (null: not a version) and an order of what it reads into a comparer that answers
 * null for texts that are unreadable or longer than `MAX_VERSION_LENGTH`.
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

/** The first difference of two lists; a list stands before every longer one that it begins. */
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
