import { comparerOf, isPlacedByConvention } from '@bomtrail/versioning';
import type { Compare } from './range';
import { versionText, withoutUnknownEpoch } from './version-text';

/**
 * The order by which an ecosystem's versions are evaluated, undefined where it has none. Null where
 * it cannot tell which of two comes first.
 *
 * - M6: the ecosystem chooses it, not the type of a range.
 * - M16: advisories write versions as people do (`v1.2`), so both sides are prepared alike.
 * - M10: a place by convention alone (PyPI's versions from before PEP 440) says which versions are
 *   equal, but not which is older.
 * - M32: an RPM source whose epoch nobody knows is compared without epochs.
 *
 * @param ecosystem an OSV ecosystem without suffix
 */
export function compareIn(ecosystem: string): Compare | undefined {
  const compare = comparerOf(ecosystem);
  if (compare === undefined) return undefined;
  return (a, b) => {
    const [left, right] = withoutUnknownEpoch(versionText(ecosystem, a), versionText(ecosystem, b));
    const order = compare(left, right);
    if (order === 0 || order === null || ecosystem !== 'PyPI') return order;
    return hasOwnPlace(left) && hasOwnPlace(right) ? order : null;
  };
}

/** Most versions are plain numbers and need no second reading. */
const NUMBERS = /^[0-9]+(?:\.[0-9]+)*$/;

function hasOwnPlace(version: string): boolean {
  return NUMBERS.test(version) || !isPlacedByConvention('PyPI', version);
}
