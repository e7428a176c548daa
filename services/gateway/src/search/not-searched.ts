import type { Unscanned } from '@bomtrail/messages';

/**
 * What a search leaves out, for CSV, whose rows alone would look complete; null: nothing.
 *
 * @param found `complete`: false if not every set of components can be searched yet
 */
export function notSearched({
  unscanned: { pending_sboms: pending, failed_sboms: failed },
  complete = true,
}: {
  unscanned: Unscanned;
  complete?: boolean;
}): string | null {
  const left = [
    ...(pending > 0 ? [`${counted(pending)} not scanned yet`] : []),
    ...(failed > 0 ? [`${counted(failed)} that failed to scan or expired`] : []),
    ...(complete ? [] : ['SBOMs that this release has not evaluated yet']),
  ];
  return left.length === 0 ? null : `not searched: ${left.join(', ')}`;
}

function counted(sboms: number): string {
  return sboms === 1 ? '1 SBOM' : `${sboms} SBOMs`;
}
