import type { Coverage } from '@bomtrail/messages';

/** What an SBOM without vulnerabilities says, see the contract's `Coverage`. */
export type Scope = 'all' | 'part' | 'none' | 'empty';

/** The contract's Coverage. */
export type CoverageView = Coverage & { scope: Scope };

/** Counts with the word for them, so that "nothing found" and "nothing judged" cannot be confused. */
export function coverageView(coverage: Coverage | null): CoverageView | null {
  return coverage && { ...coverage, scope: scopeOf(coverage) };
}

/**
 * A root that is judged says nothing of what the document does not list: without another component the
 * document is as empty as one without a root.
 */
function scopeOf(coverage: Coverage): Scope {
  const { components, evaluated, roots = 0, evaluated_roots: evaluatedRoots = 0 } = coverage;
  if (components === roots) return 'empty';
  if (evaluated === evaluatedRoots) return 'none';
  return evaluated === components ? 'all' : 'part';
}
