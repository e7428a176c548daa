import { isPlacedByConvention } from '@bomtrail/versioning';
import { rangeContains } from './range';
import type { RangeVerdict, Compare } from './range';
import type { OsvRange } from './record';

/**
 * Like `rangeContains`, for versions whose position in the order is a convention that does not
 * reflect their age (PyPI's versions before PEP 440: `4.11-final` precedes `0.1`).
 *
 * - M40: such a position may make a version affected, as on osv.dev, but never unaffected: if only
 *   the convention separates the version from a change, "no" becomes "unknown". A change at such a
 *   position does not decide other versions, see M11.
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
