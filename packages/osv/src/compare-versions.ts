import { comparerOf } from '@bomtrail/versioning';
import type { Compare } from './range';
import { comparedText, withoutUnknownEpoch } from './version-text';

/**
 * Returns the version order of an ecosystem, undefined when there is none. The order gives null for
 * versions that it cannot compare.
 *
 * - M6: the ecosystem decides, not the type of a range.
 * - M16: versions of advisories and components are normalised alike.
 * - M48: Bitnami's revisions are the same upstream version.
 * - M32: an RPM source with an unknown epoch is compared without epochs.
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
