import { scanRequested } from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import { withAlertPeriods } from '../alert-periods/domain/alert-periods';
import { compareVersions, type StoredVersion } from './domain/compare-versions';
import { expectedService } from './domain/expected-service';
import type { SbomVersionDocument } from '../tracking/store/documents';
import { inconsistentFields } from './store/compare-stored';
import type { WholeService } from './store/service-check-store';
import { countChange } from '../tracking/store/status-counts';
import { changeService } from '../tracking/change-service';
import type { LoadedService } from '../tracking/compute-vulnerabilities';
import { deleteServiceFor, type DeletionDeps } from '../deletion/delete-for-deleted';
import { readCatalogService, readRetained, stateOf, vulnerabilitiesOf } from './read-service-facts';
import type { ChangeDeps, ToSave } from '../tracking/stored-service';
import type { VerifyServiceDeps } from './verify-service';
import type { Service } from '../tracking/domain/types';

export interface RepairServiceDeps extends ChangeDeps, DeletionDeps {
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
export async function repairService(deps: RepairServiceDeps, service: Service): Promise<Repair> {
  const { state, project_id } = await readCatalogService(deps.request, service.service_id);
  if (state === 'deleting') return 'being deleted';
  if (state === 'unknown') {
    while ((await deleteServiceFor(deps, service)).more);
    return 'removed';
  }
  const own = { service_id: service.service_id, project_id: project_id ?? service.project_id };
  let stored: WholeService | null = null;
  let isWaiting = false;
  const states = {
    ...deps.states,
    // Reads everything, even without a service state.
    async state(): ReturnType<RepairServiceDeps['states']['state']> {
      stored = await deps.checks.readLoose(own);
      return stored.state?.deletion_state ? 'deleted' : stored.state;
    },
  };
  const outcome = await changeService({ ...deps, states }, own, {
    async repair(loaded) {
      if (!stored) throw new Error('The service was not loaded.');
      const repaired = await repairLoaded(deps, { own, stored, loaded });
      isWaiting = repaired === null;
      return repaired;
    },
  });
  if (outcome === 'deleted') return 'deleted';
  return isWaiting ? 'rescan-requested' : 'recomputed';
}

/** Null if the scanner must evaluate component sets first. */
async function repairLoaded(
  deps: RepairServiceDeps,
  service: { own: Service; stored: WholeService; loaded: LoadedService },
): Promise<ToSave | null> {
  const { own, stored, loaded } = service;
  const { sboms } = await readCatalogService(deps.request, own.service_id);
  const known = stateOf(stored);
  const { sbomVersions, fixes } = compareVersions(known.sbomVersions, sboms, sboms);
  const scans = await readRetained(deps, sbomVersions, 0);
  if ('lost' in scans) {
    const attempt = Math.floor(Date.now() / 1000);
    for (const sbomVersion of scans.lost) {
      const scan = { ...sbomVersion, ...own, lane: 'upload' as const, revision: 0, attempt };
      await deps.publish(scanRequested, scan);
    }
    return null;
  }
  const { acceptances, now } = loaded;
  const { observations, ...revisions } = scans;
  const facts = { service_id: own.service_id, acceptances, now, observations, newId };
  const expected = expectedService(known, sbomVersions, facts);
  const before = vulnerabilitiesOf(stored);
  const vulnerabilities = withAlertPeriods(before, expected.vulnerabilities, new Date(now));
  const inconsistent = stored.vulnerabilities.filter(
    (one) => inconsistentFields(one, stored, own.project_id).length > 0,
  );
  return {
    before,
    after: { head: expected.head, vulnerabilities, ...revisions, findingsHash: null },
    also: {
      replacesVulnerabilities: true,
      counts: countChange([], vulnerabilities),
      replacedVersions: fixes.map((fix) => versionDocument(fix, own)),
    },
    rewritten: new Set(inconsistent.map(({ _id }) => _id)),
  };
}

function versionDocument(fix: StoredVersion, own: Service): SbomVersionDocument {
  const { sbom_id, ...rest } = fix;
  return { _id: sbom_id, ...own, ...rest };
}
