import { recompute } from '../domain/reconcile';
import { changeLine } from './change-line';
import { scansOf, type ReconcileSbomDeps } from './reconcile-sbom';

/**
 * Takes an SBOM out of its line's log for good and recomputes the rows without it: what it alone
 * held is gone, what its predecessor still has is open again. A scan that ends later finds the
 * tombstone.
 */
export async function removeSbom(
  deps: ReconcileSbomDeps,
  sbom: { sbom_id: string; line_id: string; project_id: string },
): Promise<void> {
  const { sbom_id, line_id, project_id } = sbom;
  await changeLine(deps, { line_id, project_id }, async (stored, facts) => {
    const known = await deps.ledgers.entry(sbom_id);
    if (known && 'removed' in known) return null;
    const log = [{ _id: sbom_id, line_id, project_id, removed: true as const }];
    if (!known)
      return {
        ledger: { head: stored.ledger?.head ?? null, rows: stored.rows },
        log,
        revision: stored.ledger?.revision ?? 0,
      };
    const entries = (await deps.ledgers.entries(line_id)).filter(
      (entry) => entry.sbom_id !== sbom_id,
    );
    const { observations, revision } = await scansOf(
      deps,
      entries.map(({ digest }) => digest),
    );
    return { ledger: recompute({ ...facts, observations }, entries), log, revision };
  });
}
