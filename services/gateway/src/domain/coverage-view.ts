import type { Coverage } from '@bomtrail/messages';

/** What an SBOM without vulnerabilities says, see the contract's `Coverage`. */
export type Extent = 'all' | 'part' | 'none' | 'empty';

/** The contract's Coverage. */
export type CoverageView = Coverage & { extent: Extent };

/** Counts with the word for them, so that "nothing found" and "nothing judged" cannot be confused. */
export function coverageView(coverage: Coverage | null): CoverageView | null {
  return coverage && { ...coverage, extent: extentOf(coverage) };
}

function extentOf({ components, evaluated }: Coverage): Extent {
  if (components === 0) return 'empty';
  if (evaluated === 0) return 'none';
  return evaluated === components ? 'all' : 'part';
}
