import { readDataStatus } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { compareVersions } from './domain/compare-versions';
import { type Difference, ofWholeService } from './domain/difference';
import { compareService, expectedService } from './domain/expected-service';
import type { ServiceCheckStore, WholeService } from './store/service-check-store';
import { compareStored } from './store/compare-stored';
import {
  acceptancesOf,
  readCatalogService,
  readRetained,
  stateOf,
  type CatalogService,
} from './read-service-facts';
import type { ScanReader } from '../tracking/scan-reader';

export interface VerifyServiceDeps {
  checks: ServiceCheckStore;
  request: Request;
  /** Must not store anything. */
  scans: ScanReader;
}

/** A service to check. */
export interface ServiceToVerify {
  service_id: string;
  /** From the catalog, else from the reconciler. */
  project_id: string;
  /** The advisory revision in force when the run began; scans of this revision may be shared. */
  revision: number;
}

/** The result of a check. `inProgress`: work in progress that may explain the differences. */
export interface CheckResult {
  differences: Difference[];
  inProgress: string[];
}

/**
 * Parts of a large change follow within this time, unless the process ended: MongoDB aborts a transaction
 * after 15 s.
 */
const partMs = 30_000;

/** Correct, or about to be deleted. */
const nothingWrong: CheckResult = { differences: [], inProgress: [] };

/**
 * Compares a service (vulnerabilities, SBOM versions, head, counts) with a full recomputation from the
 * catalog's records, the scanner's findings and the acceptances. Writes nothing.
 *
 * Stored data is read from one snapshot. Other services are read before or after it, so work in progress is
 * checked last: pending advisory changes, acceptances and deletes, and a new version of the service.
 */
export async function checkService(
  deps: VerifyServiceDeps,
  service: ServiceToVerify,
): Promise<CheckResult> {
  const before = await readCatalogService(deps.request, service.service_id);
  const stored = await deps.checks.read(service);
  const found = await compare(deps, service, { stored, before, after: before });
  if (found.length === 0) return nothingWrong;
  const { body: dataStatus } = await deps.request(readDataStatus, {});
  const after = await readCatalogService(deps.request, service.service_id);
  const version = await deps.checks.version(service.service_id);
  if (before.state === 'deleting' || after.state === 'deleting') {
    return { differences: found, inProgress: ['it is being deleted'] };
  }
  const inProgress: string[] = [];
  if (version !== (stored.state?.version ?? null)) inProgress.push('it changed meanwhile');
  const pendingUpdates = stored.state?.pending_updates;
  if (pendingUpdates && Date.now() - pendingUpdates.at.getTime() < partMs)
    inProgress.push('it is being written');
  if (!dataStatus.applied) inProgress.push('an advisory change is being evaluated');
  else if (!dataStatus.rescans_requested) inProgress.push('an advisory change is being published');
  if (before.pendingRescans.length + after.pendingRescans.length > 0)
    inProgress.push('a re-scan is pending');
  if (acceptancesOf(stored).inProgress) inProgress.push('an acceptance is being applied');
  const differences = await compare(
    deps,
    { ...service, revision: dataStatus.revision },
    { stored, before, after },
  );
  return differences.length === 0 ? nothingWrong : { differences, inProgress };
}

async function compare(
  deps: VerifyServiceDeps,
  service: ServiceToVerify,
  input: { stored: WholeService; before: CatalogService; after: CatalogService },
): Promise<Difference[]> {
  const { stored, before, after } = input;
  const whole = serviceDifference(stored, after);
  if (whole) return whole === 'gone' ? [] : [whole];
  const state = stateOf(stored);
  const { sbomVersions, differences: ofVersions } = compareVersions(
    state.sbomVersions,
    before.sboms,
    after.sboms,
  );
  const scans = await readRetained(deps, sbomVersions, service.revision);
  if ('lost' in scans) {
    return scans.lost.map(({ sbom_id, seq, digest }) => ({
      kind: 'findings-missing',
      id: sbom_id,
      about: `SBOM with sequence ${seq}`,
      stored: 'an SBOM version',
      expected: `evaluated: the scanner has no findings of its component set ${digest}`,
    }));
  }
  let last = 0;
  const { active } = acceptancesOf(stored);
  const expected = expectedService(state, sbomVersions, {
    service_id: service.service_id,
    acceptances: active,
    observations: scans.observations,
    now: stored.now.toISOString(),
    newId: () => `~${String(++last).padStart(9, '0')}`,
  });
  const differences = [...ofVersions, ...compareService(state, expected)];
  const project_id = after.project_id ?? service.project_id;
  const known = { project_id, revision: service.revision, differences };
  return [...differences, ...compareStored(stored, known)];
}

/** A difference of the service as a whole. `gone`: it was deleted, as expected. */
function serviceDifference(
  stored: WholeService,
  { state: inCatalog }: CatalogService,
): Difference | 'gone' | null {
  const { state, vulnerabilities, sbomVersions } = stored;
  const left = `${vulnerabilities.length} tracked vulnerabilities and ${sbomVersions.length} SBOM versions`;
  if (state?.deletion_state) {
    if (inCatalog === 'active')
      return ofWholeService('service-deleted', 'deleted', 'existing: the catalog has it');
    if (vulnerabilities.length + sbomVersions.length === 0 || state.deletion_state !== 'purged')
      return 'gone';
  } else if (inCatalog !== 'unknown') return null;
  if (!state && vulnerabilities.length + sbomVersions.length === 0) return 'gone';
  return ofWholeService('service-unknown', left, 'nothing: the catalog does not have it');
}
