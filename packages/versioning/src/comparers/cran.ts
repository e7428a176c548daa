import {
  type Numeral,
  type Ordering,
  comparing,
  order,
  orderPrefixed,
  readNumeral,
} from '../ordering';

const VERSION = /^[0-9]+(?:[.-][0-9]+)*$/;

/**
 * CRAN and Bioconductor: numbers from the left, `.` and `-` alike, a prefix before what extends it
 * (R documentation, `numeric_version`; "Writing R Extensions", "The DESCRIPTION file").
 */
export const compareCran = comparing(parseCran, orderByLength);

function parseCran(text: string): Numeral[] | null {
  return VERSION.test(text) ? text.split(/[.-]/).map(readNumeral) : null;
}

function orderByLength(a: readonly Numeral[], b: readonly Numeral[]): Ordering {
  return orderPrefixed(a, b, order);
}
