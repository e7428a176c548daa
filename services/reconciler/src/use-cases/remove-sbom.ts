import type { PackageRevisions } from '../domain/package-revisions';
import { removeVersions, showAgain } from '../domain/remove-versions';
import { recompute } from '../domain/reconcile';
import type { SbomVersion } from '../domain/types';
import type { StoredService } from '../store/write-changes';
import { changeService } from './change-service';
import {
  assignStatusAgain,
  type Decision,
  type ServiceFacts,
  type VersionsChange,
} from './change-once';
import { scansOf } from './service-scans';
import type { ReconcileSbomDeps } from './reconcile-sbom';

/** SBOMs of one line that go. */
export interface Removal {
  sbom_ids: readonly string[];
  service_id: string;
  project_id: string;
  /** No advisory change is owed to any of them: the rows of the line stand on what was asked for so far. */
  finished: boolean;
}

/**
 * Takes SBOMs out of their line's log for good, and their rows with them: what they alone held is gone,
 * what a predecessor still has is open again. A scan that ends later finds the tombstone.
 *
 * The rows say which of the entries that are left hold them, and a scan is read only for what a row
 * shows now: a log of thousands of versions costs one or two. Where the rows may not be up to date they
 * are recomputed from all scans instead, because what was owed to the line went with the SBOM.
 */
export async function removeSboms(deps: ReconcileSbomDeps, removal: Removal): Promise<void> {
  const { sbom_ids, service_id, project_id, finished } = removal;
  const changeOfVersions = async (): Promise<VersionsChange | null> => {
    const known = await deps.states.known(sbom_ids);
    const isThere = (id: string): boolean => known.has(id) && !('removed' in (known.get(id) ?? {}));
    const tombstones = sbom_ids
      .filter((id) => !known.has(id))
      .map((_id) => ({ _id, service_id, project_id, removed: true as const }));
    const leaving = sbom_ids.filter(isThere);
    const isDone = leaving.length + tombstones.length === 0;
    return isDone ? null : { joins: [], leaving, tombstones };
  };
  await changeService(deps, { service_id, project_id, changeOfVersions }, async (stored, facts) => {
    const sbomVersions = await deps.states.sbomVersions(service_id);
    const inVersions = new Set(sbomVersions.map(({ sbom_id }) => sbom_id));
    const others = sbom_ids.filter((id) => !inVersions.has(id));
    const known = await Promise.all(others.map((id) => deps.states.sbomVersion(id)));
    const unknown = others.filter((_, index) => known[index] === null);
    const going = new Set(sbom_ids.filter((id) => inVersions.has(id)));
    const log = [...going, ...unknown].map((_id) => {
      return { _id, service_id, project_id, removed: true as const };
    });
    // The process that removed them may have ended before it looked at the acceptances again.
    if (log.length === 0) return assignStatusAgain(stored, facts);
    const head = stored.state?.head ?? null;
    if (going.size === 0) {
      return {
        state: { head, vulnerabilities: stored.vulnerabilities },
        log,
        ...data_status(stored),
      };
    }
    const cut = finished ? await cutLine(deps, { stored, facts, sbomVersions, going }) : null;
    if (cut) return { ...cut, log };
    const left = sbomVersions.filter(({ sbom_id }) => !going.has(sbom_id));
    const { observations, revision, newest } = await scansOf(
      deps,
      left.map(({ digest }) => digest),
    );
    return { state: recompute({ ...facts, observations }, left), log, revision, newest };
  });
}

/** The rows without these entries, from the rows with them; null where they are not up to date. */
async function cutLine(
  deps: ReconcileSbomDeps,
  service: {
    stored: StoredService;
    facts: ServiceFacts;
    sbomVersions: SbomVersion[];
    going: ReadonlySet<string>;
  },
): Promise<Omit<Exclude<Decision, null | string>, 'log'> | null> {
  const { stored, facts, sbomVersions, going } = service;
  const cut = removeVersions(stored.vulnerabilities, sbomVersions, going);
  const digests = [...cut.toShow.values()].map(({ digest }) => digest);
  const { observations } = await scansOf(deps, digests);
  const state = showAgain({ ...facts, observations }, cut);
  return state && { state, ...data_status(stored) };
}

/** What was brought into the rows stays there. */
function data_status({ state }: StoredService): {
  revision: number;
  packageRevisions: PackageRevisions | undefined;
} {
  return { revision: state?.revision ?? 0, packageRevisions: state?.package_revisions };
}
