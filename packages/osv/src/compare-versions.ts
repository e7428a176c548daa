import { comparerOf } from '@bomtrail/versioning';
import type { Compare } from './range';
import { versionText, withoutUnknownEpoch } from './version-text';

/**
 * The order by which an ecosystem's versions are evaluated, undefined where it has none. Null where
 * it cannot tell which of two comes first.
 *
 * - M6: the ecosystem chooses it, not the type of a range.
 * - M16: advisories write versions as people do (`v1.2`), so both sides are prepared alike.
 * - M32: an RPM source whose epoch nobody knows is compared without epochs.
 *
 * @param ecosystem an OSV ecosystem without suffix
 */
export function compareIn(ecosystem: string): Compare | undefined {
  const compare = comparerOf(ecosystem);
  if (compare === undefined) return undefined;
  return (a, b) => {
    const [left, right] = withoutUnknownEpoch(versionText(ecosystem, a), versionText(ecosystem, b));
    return compare(left, right);
  };
}
