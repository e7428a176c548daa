import type { Coverage } from '@bomtrail/messages';

/** Meaning of an empty vulnerability list, see the contract's `Coverage`. */
export type Scope = 'all' | 'part' | 'none' | 'empty';

/** The contract's Coverage. */
export type CoverageView = Coverage & { scope: Scope };

/** Adds the `scope`, which distinguishes "nothing found" from "nothing evaluated". */
export function coverageView(coverage: Coverage | null): CoverageView | null {
  return coverage && { ...coverage, scope: scopeOf(coverage) };
}

/** The root component does not count: without other components the document is empty. */
function scopeOf(coverage: Coverage): Scope {
  const { components, evaluated, roots = 0, evaluated_roots: evaluatedRoots = 0 } = coverage;
  if (components === roots) return 'empty';
  if (evaluated === evaluatedRoots) return 'none';
  return evaluated === components ? 'all' : 'part';
}
