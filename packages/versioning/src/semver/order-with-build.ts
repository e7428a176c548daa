import { type Ordering, order } from '../ordering';
import { orderIdentifiers, orderSemver } from './order-semver';
import type { SemverParts } from './read-semver';

/** As `orderSemver`, then by build metadata: none before some, identifiers as in a prerelease. */
export function orderSemverWithBuild(a: SemverParts, b: SemverParts): Ordering {
  const result = orderSemver(a, b);
  if (result !== 0) return result;
  const someMissing = a.build.length === 0 || b.build.length === 0;
  return someMissing ? order(a.build.length, b.build.length) : orderIdentifiers(a.build, b.build);
}
