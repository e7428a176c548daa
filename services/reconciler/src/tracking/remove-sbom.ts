import { changeService } from './change-service';
import type { ChangeDeps } from './stored-service';
import type { Service } from './domain/types';

/** SBOMs of a service to remove. */
export interface Removal extends Service {
  sbom_ids: readonly string[];
  /** No advisory change is pending for any of them. */
  finished: boolean;
}

/**
 * Removes SBOM versions of a service permanently: vulnerabilities that only they contained are gone, those that a
 * predecessor contains are open again. A late scan finds the tombstone.
 *
 * The presence intervals tell which remaining versions contain a vulnerability, so only scans for changed snapshots are
 * read: one or two, even with thousands of versions. If a change is pending, the vulnerabilities are recomputed from all
 * scans instead, because the pending re-scan goes with the SBOM.
 */
export async function removeSboms(deps: ChangeDeps, removal: Removal): Promise<void> {
  const { sbom_ids, service_id, project_id, finished } = removal;
  const plan = {
    async next() {
      const known = await Promise.all(sbom_ids.map((id) => deps.states.sbomVersion(id)));
      const absent = sbom_ids.filter((_id, index) => !known[index]);
      const removing = known.flatMap((one) => (one && !('removed' in one) ? [one._id] : []));
      // The process that removed them may have ended before it checked the acceptances.
      if (absent.length + removing.length === 0) return null;
      const isRecomputed = !finished && removing.length > 0;
      return { removing, absent, ...(isRecomputed && { recompute: { atLeast: 0 } }) };
    },
  };
  await changeService(deps, { service_id, project_id }, plan);
}
