import { readDocumentStructure } from '@bomtrail/sbom-formats';
import type { VexProduct } from '../vex-document';
import { indexPackages } from './match-identifier';
import {
  createProductMatcher,
  NOT_APPLICABLE,
  type CoveredPackage,
  type NotApplicable,
  type ProductMatch,
} from './match-product';

/** What the products of one statement cover in one SBOM together; `reason`: the nearest, if they cover nothing. */
export type StatementMatch =
  | { fits: true; covers: 'everything' | CoveredPackage[] }
  | { fits: false; reason: NotApplicable };

/**
 * Matches the products of statements with an SBOM that was read before.
 *
 * @param products by statement
 * @returns by statement, in order
 * @throws Error if the bytes are no supported SBOM
 */
export function matchStatements(
  bytes: Uint8Array,
  products: readonly (readonly VexProduct[])[],
): StatementMatch[] {
  const matcher = createProductMatcher(indexPackages(readDocumentStructure(bytes)));
  // Documents repeat the same product in each of thousands of statements.
  const known = new Map<string, ProductMatch>();
  const matchOnce = (product: VexProduct): ProductMatch => {
    const key = JSON.stringify(product);
    const match = known.get(key) ?? matcher.match(product);
    known.set(key, match);
    return match;
  };
  return products.map((ofStatement) => united(ofStatement.map(matchOnce)));
}

function united(matches: readonly ProductMatch[]): StatementMatch {
  const fitting = matches.filter((one) => one.fits);
  if (fitting.some(({ covers }) => covers === 'everything'))
    return { fits: true, covers: 'everything' };
  if (fitting.length > 0) {
    const all = fitting.flatMap(({ covers }) => (covers === 'everything' ? [] : covers));
    const distinct = new Map(all.map((one) => [`${one.identity}@${one.version}`, one]));
    return { fits: true, covers: [...distinct.values()] };
  }
  const reasons = matches.flatMap((one) => (one.fits ? [] : one.reason));
  return { fits: false, reason: nearestReason(reasons) ?? 'no_product_named' };
}

/** The one that comes nearest to applying; null if there is none. */
export function nearestReason(reasons: Iterable<NotApplicable>): NotApplicable | null {
  let nearest = -1;
  for (const reason of reasons) nearest = Math.max(nearest, NOT_APPLICABLE.indexOf(reason));
  return NOT_APPLICABLE[nearest] ?? null;
}
