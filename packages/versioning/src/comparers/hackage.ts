import {
  type Numeral,
  type Ordering,
  comparing,
  order,
  orderPrefixed,
  readNumeral,
} from '../ordering';

const VERSION = /^[0-9]+(?:\.[0-9]+)*$/;

/**
 * Hackage: numbers from the left, a prefix before what extends it: 1.0 precedes 1.0.0
 * (pvp.haskell.org, "Version numbers"; Cabal, `Version`).
 */
export const compareHackage = comparing(parseHackage, orderByLength);

function parseHackage(text: string): Numeral[] | null {
  return VERSION.test(text) ? text.split('.').map(readNumeral) : null;
}

function orderByLength(a: readonly Numeral[], b: readonly Numeral[]): Ordering {
  return orderPrefixed(a, b, order);
}
