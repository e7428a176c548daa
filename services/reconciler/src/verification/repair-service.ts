import { scanRequested } from '@bomtrail/messages';
import { compareVersions, type StoredVersion } from './domain/compare-versions';
import { expectedService } from './domain/expected-service';
import { retained } from '../tracking/domain/expired-versions';
import type { SbomVersionDocument } from '../tracking/store/documents';
import { inconsistentFields } from './store/compare-stored';
import type { WholeService } from './store/service-check-store';
import type { StoredService } from '../tracking/store/write-changes';
import { changeService } from '../tracking/change-service';
import { type Decision, type ServiceFacts } from '../tracking/change-once';
import { deleteServiceFor, type DeletionDeps } from '../deletion/delete-for-deleted';
import {
  withUnevaluated,
  readCatalogService,
  stateOf,
  vulnerabilitiesOf,
} from './read-service-facts';
import { scansOf } from '../tracking/service-scans';
import type { ReconcileSbomDeps } from '../tracking/reconcile-sbom';
import type { VerifyServiceDeps } from './verify-service';

export interface RepairServiceDeps extends ReconcileSbomDeps, DeletionDeps {
  checks: VerifyServiceDeps['checks'];
}

/**
 * The outcome of a repair. `deleted`: the reconciler deleted the service permanently, which cannot be undone;
 * `rescan-requested`: the scanner must evaluate component sets first.
 */
export type Repair = 'recomputed' | 'removed' | 'deleted' | 'rescan-requested' | 'being deleted';

/**
 * Repairs a service from the facts, whatever is stored: SBOM versions from the catalog's records,
 * vulnerabilities by a full recomputation, list fields from the vulnerabilities. Uses `changeService`, so
 * concurrent uploads, re-scans and acceptances cause a repetition and lose nothing.
 */
export async function repairService(
  deps: RepairServiceDeps,
  service: { service_id: string; project_id: string },
): Promise<Repair> {
  const { state, project_id } = await readCatalogService(deps.request, service.service_id);
  if (state === 'deleting') return 'being deleted';
  if (state === 'unknown') {
    while ((await deleteServiceFor(deps, service)).more);
    return 'removed';
  }
  const own = { service_id: service.service_id, project_id: project_id ?? service.project_id };
  let isWaiting = false;
  const whole = wholeService(deps, own);
  const outcome = await changeService(
    {
      ...deps,
      states: {
        ...deps.states,
        state: whole.state,
        vulnerabilities: whole.vulnerabilities,
        save: whole.save,
      },
    },
    { ...own, isWhole: true },
    async (_stored, facts): Promise<Decision> => {
      const decision = await decide(deps, facts, { own, stored: whole.loaded() });
      isWaiting = decision === null;
      return decision;
    },
  );
  if (outcome === 'deleted') return 'deleted';
  return isWaiting ? 'rescan-requested' : 'recomputed';
}

async function decide(
  deps: RepairServiceDeps,
  facts: ServiceFacts,
  service: { own: { service_id: string; project_id: string }; stored: WholeService },
): Promise<Decision> {
  const { own } = service;
  const { sboms } = await readCatalogService(deps.request, own.service_id);
  const registered = { before: sboms, after: sboms };
  const stored = stateOf(service.stored);
  const { sbomVersions } = compareVersions(stored.sbomVersions, sboms, sboms);
  const digests = retained(sbomVersions).map(({ digest }) => digest);
  const scans = await withUnevaluated(deps.request, digests, () =>
    scansOf(deps, digests, { atLeast: 0, isWhole: true }),
  );
  if ('unevaluated' in scans) {
    const lost = sbomVersions.filter(({ digest }) => scans.unevaluated.includes(digest));
    const attempt = Math.floor(Date.now() / 1000);
    for (const sbomVersion of lost) {
      const scan = { ...sbomVersion, ...own, lane: 'upload' as const, revision: 0, attempt };
      await deps.publish(scanRequested, scan);
    }
    return null;
  }
  const { observations, revision, newest } = scans;
  const { state, fixes } = expectedService(stored, registered, { ...facts, observations });
  return {
    state,
    revision,
    newest,
    replacedVersions: fixes.map((fix) => versionDocument(fix, own)),
  };
}

/**
 * A store view of a service that reads everything, even without a service state, and rewrites vulnerabilities
 * with inconsistent fields.
 */
function wholeService(deps: RepairServiceDeps, own: { service_id: string; project_id: string }) {
  let loaded: WholeService | null = null;
  return {
    loaded(): WholeService {
      if (!loaded) throw new Error('The service was not loaded.');
      return loaded;
    },
    async state(): Promise<StoredService['state'] | 'deleted'> {
      loaded = await deps.checks.readLoose(own);
      return loaded.state?.deletion_state ? 'deleted' : loaded.state;
    },
    vulnerabilities: async (): Promise<StoredService['vulnerabilities']> =>
      loaded ? vulnerabilitiesOf(loaded) : [],
    save: ((before, change) => {
      const changed = new Set(change.vulnerabilities.map(({ id }) => id));
      const service = loaded;
      const wrong = (service?.vulnerabilities ?? [])
        .filter(({ _id }) => !changed.has(_id))
        .filter((one) => service && inconsistentFields(one, service, own.project_id).length > 0);
      const ids = new Set(wrong.map(({ _id }) => _id));
      const rewritten = service ? vulnerabilitiesOf(service).filter(({ id }) => ids.has(id)) : [];
      const vulnerabilities = [...change.vulnerabilities, ...rewritten];
      return deps.states.save(uncounted(before), { ...change, vulnerabilities });
    }) satisfies RepairServiceDeps['states']['save'],
  };
}

/** Drops the version of the open counts, so that they are counted again. */
function uncounted(service: StoredService): StoredService {
  if (!service.state) return service;
  const { counted_version: _counted, ...state } = service.state;
  return { ...service, state };
}

function versionDocument(
  fix: StoredVersion,
  own: { service_id: string; project_id: string },
): SbomVersionDocument {
  const { sbom_id, ...rest } = fix;
  return { _id: sbom_id, ...own, ...rest };
}
