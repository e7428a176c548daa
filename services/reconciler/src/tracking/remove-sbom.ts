import type { PackageRevisions } from './domain/package-revisions';
import { retained } from './domain/expired-versions';
import { removeVersions, refreshSnapshots } from './domain/remove-versions';
import { recompute } from './domain/reconcile';
import type { SbomVersion } from './domain/types';
import type { StoredService } from './store/write-changes';
import { changeService } from './change-service';
import {
  reassignStatuses,
  type Decision,
  type ServiceFacts,
  type VersionsChange,
} from './change-once';
import { scansOf } from './service-scans';
import type { ReconcileSbomDeps } from './reconcile-sbom';

/** SBOMs of a service to remove. */
export interface Removal {
  sbom_ids: readonly string[];
  service_id: string;
  project_id: string;
  /** No advisory change is pending for any of them. */
  finished: boolean;
}

/**
 * Removes SBOM versions of a service permanently: vulnerabilities that only they contained are gone, those
 * that a predecessor contains are open again. A late scan finds the tombstone.
 *
 * The presence intervals tell which remaining versions contain a vulnerability, so only scans for changed
 * snapshots are read: one or two, even with thousands of versions. If a change is pending, the
 * vulnerabilities are recomputed from all scans instead, because the pending re-scan goes with the SBOM.
 */
export async function removeSboms(deps: ReconcileSbomDeps, removal: Removal): Promise<void> {
  const { sbom_ids, service_id, project_id, finished } = removal;
  const versionsChange = async (): Promise<VersionsChange | null> => {
    const known = await deps.states.known(sbom_ids);
    const isThere = (id: string): boolean => known.has(id) && !('removed' in (known.get(id) ?? {}));
    const tombstones = sbom_ids
      .filter((id) => !known.has(id))
      .map((_id) => ({ _id, service_id, project_id, removed: true as const }));
    const removing = sbom_ids.filter(isThere);
    const isDone = removing.length + tombstones.length === 0;
    return isDone ? null : { newVersions: [], removing, tombstones };
  };
  await changeService(deps, { service_id, project_id, versionsChange }, async (stored, facts) => {
    const sbomVersions = await deps.states.sbomVersions(service_id);
    const existingIds = new Set(sbomVersions.map(({ sbom_id }) => sbom_id));
    const others = sbom_ids.filter((id) => !existingIds.has(id));
    const known = await Promise.all(others.map((id) => deps.states.sbomVersion(id)));
    const unknown = others.filter((_, index) => known[index] === null);
    const removedIds = new Set(sbom_ids.filter((id) => existingIds.has(id)));
    const tombstones = [...removedIds, ...unknown].map((_id) => {
      return { _id, service_id, project_id, removed: true as const };
    });
    // The process that removed them may have ended before it checked the acceptances.
    if (tombstones.length === 0) return reassignStatuses(stored, facts);
    const head = stored.state?.head ?? null;
    if (removedIds.size === 0) {
      return {
        state: { head, vulnerabilities: stored.vulnerabilities },
        replacedVersions: tombstones,
        ...revisionsOf(stored),
      };
    }
    const removal = finished
      ? await removeWithoutRecompute(deps, { stored, facts, sbomVersions, removedIds })
      : null;
    if (removal) return { ...removal, replacedVersions: tombstones };
    const left = sbomVersions.filter(({ sbom_id }) => !removedIds.has(sbom_id));
    const { observations, revision, newest } = await scansOf(
      deps,
      retained(left).map(({ digest }) => digest),
    );
    const change = { at: facts.now, added: new Set<string>() };
    return {
      state: recompute({ ...facts, observations, change }, left),
      replacedVersions: tombstones,
      revision,
      newest,
    };
  });
}

/** Removes versions using the vulnerabilities alone; null if they are not up to date. */
async function removeWithoutRecompute(
  deps: ReconcileSbomDeps,
  service: {
    stored: StoredService;
    facts: ServiceFacts;
    sbomVersions: SbomVersion[];
    removedIds: ReadonlySet<string>;
  },
): Promise<Omit<Exclude<Decision, null | string>, 'replacedVersions'> | null> {
  const { stored, facts, sbomVersions, removedIds } = service;
  const removal = removeVersions(stored.vulnerabilities, sbomVersions, removedIds);
  const digests = [...removal.staleSnapshots.values()].map(({ digest }) => digest);
  const { observations } = await scansOf(deps, digests);
  const state = refreshSnapshots({ ...facts, observations }, removal);
  return state && { state, ...revisionsOf(stored) };
}

/** A removal keeps the revisions. */
function revisionsOf({ state }: StoredService): {
  revision: number;
  packageRevisions: PackageRevisions | undefined;
} {
  return { revision: state?.revision ?? 0, packageRevisions: state?.package_revisions };
}
