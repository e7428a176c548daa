import { type Numeral, type Ordering, order, orderFilled, orderPrefixed } from '../ordering';
import type { Identifier, SemverParts } from './read-semver';

/**
 * Precedence by Semantic Versioning 2.0.0, item 11: numbers, then prerelease; build metadata is
 * ignored. Missing numbers count as 0, also beyond the third.
 */
export function orderSemver(a: SemverParts, b: SemverParts): Ordering {
  const byNumbers = orderNumbers(a.numbers, b.numbers);
  return byNumbers !== 0 ? byNumbers : orderPrereleases(a.prerelease, b.prerelease);
}

/** Dotted numbers from the left, missing ones as 0. */
export function orderNumbers(a: readonly Numeral[], b: readonly Numeral[]): Ordering {
  return orderFilled(a, b, { filler: 0, compare: order });
}

/** A prerelease precedes the version without one. */
export function orderPrereleases(a: readonly Identifier[], b: readonly Identifier[]): Ordering {
  if (a.length === 0) return b.length === 0 ? 0 : 1;
  return b.length === 0 ? -1 : orderIdentifiers(a, b);
}

/** Item 11.4: numbers by value and before texts, texts by ASCII, a prefix before longer ones. */
export function orderIdentifiers(a: readonly Identifier[], b: readonly Identifier[]): Ordering {
  return orderPrefixed(a, b, orderIdentifier);
}

function orderIdentifier(a: Identifier, b: Identifier): Ordering {
  const leftIsText = typeof a === 'string';
  if (leftIsText !== (typeof b === 'string')) return leftIsText ? 1 : -1;
  return order(a, b);
}
