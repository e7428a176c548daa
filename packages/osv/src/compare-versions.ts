import { comparerOf } from '@bomtrail/versioning';
import type { Compare } from './range';
import { comparedText, withoutUnknownEpoch } from './version-text';

/**
 * The order by which an ecosystem's versions are evaluated, undefined where it has none. Null where
 * it cannot tell which of two comes first.
 *
 * - M6: the ecosystem chooses it, not the type of a range.
 * - M16: advisories write versions as people do (`v1.2`), so both sides are prepared alike.
 * - M48: Bitnami's revisions are the same upstream version.
 * - M32: an RPM source whose epoch nobody knows is compared without epochs.
 *
 * @param ecosystem an OSV ecosystem without suffix
 */
export function compareIn(ecosystem: string): Compare | undefined {
  const compare = comparerOf(ecosystem);
  if (compare === undefined) return undefined;
  return (a, b) => {
    const [left, right] = withoutUnknownEpoch(
      comparedText(ecosystem, a),
      comparedText(ecosystem, b),
    );
    return compare(left, right);
  };
}
