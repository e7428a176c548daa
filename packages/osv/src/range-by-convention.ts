import { isPlacedByConvention } from '@bomtrail/versioning';
import { rangeContains } from './range';
import type { RangeVerdict, Compare } from './range';
import type { OsvRange } from './record';

/**
 * As `rangeContains`, but careful with versions whose place in the order is a convention that says nothing
 * about their age (PyPI's versions from before PEP 440: `4.11-final` stands below `0.1`).
 *
 * - M40: such a place may make a version affected, as osv.dev has it, never unaffected: where only the
 *   convention tells on which side of a change the version lies, "no" becomes "unknown". A change
 *   that is placed so tells nothing of a version that is not, see M11.
 */
export function rangeContainsForCertain(
  range: OsvRange,
  version: string,
  order: { ecosystem: string; compare: Compare },
): RangeVerdict {
  const { ecosystem, compare } = order;
  const isConventional = isPlacedByConvention(ecosystem, version);
  const verdict = rangeContains(range, version, (a, b) =>
    isPlacedByConvention(ecosystem, a) === isPlacedByConvention(ecosystem, b)
      ? compare(a, b)
      : null,
  );
  if (verdict !== 'unknown' || !isConventional) return verdict;
  return rangeContains(range, version, compare) === 'yes' ? 'yes' : 'unknown';
}
