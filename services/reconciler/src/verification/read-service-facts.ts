import {
  AppError,
  listServiceSboms,
  maxServiceSbomsListed,
  maxSetsRead,
  readCoverages,
  type ServiceSbom,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { StoredVersion, RegisteredSbom } from './domain/compare-versions';
import type { ActiveDecision } from '../tracking/domain/decision-types';
import { retained } from '../tracking/domain/expired-versions';
import type { SbomVersion, TrackedVulnerability } from '../tracking/domain/types';
import { readScans, type ScanReader } from '../tracking/scan-reader';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { toSbomVersions } from '../tracking/store/service-reads';
import type { WholeService } from './store/service-check-store';
import { toVulnerability } from '../tracking/store/vulnerability-mapping';
import { activeDecision } from '../decisions/store/decision-mapping';
import type { StoredState } from './domain/expected-service';

/** A service in the catalog. */
export interface CatalogService {
  state: 'active' | 'deleting' | 'unknown';
  project_id: string | null;
  sboms: RegisteredSbom[];
  /** SBOMs with a pending re-scan. */
  pendingRescans: string[];
}

/** Reads all SBOMs of a service from the catalog. */
export async function readCatalogService(
  request: Request,
  serviceId: string,
): Promise<CatalogService> {
  const sboms: ServiceSbom[] = [];
  for (;;) {
    const after_seq = sboms.at(-1)?.seq ?? 0;
    const query = { service_id: serviceId, after_seq, limit: maxServiceSbomsListed };
    const { body } = await request(listServiceSboms, query);
    sboms.push(...body.sboms);
    if (body.sboms.length === maxServiceSbomsListed) continue;
    return {
      state: body.service,
      project_id: body.project_id,
      sboms: sboms.map((sbom) => ({ ...sbom, scanned: sbom.scan_status === 'scanned' })),
      pendingRescans: sboms
        .filter(({ rescan_pending, deleting }) => rescan_pending && !deleting)
        .map(({ sbom_id }) => sbom_id),
    };
  }
}

/** A stored service as the rules read it. */
export function stateOf(
  service: Pick<WholeService, 'state' | 'vulnerabilities' | 'details' | 'sbomVersions'>,
): StoredState {
  return {
    head: service.state?.head ?? null,
    vulnerabilities: vulnerabilitiesOf(service),
    sbomVersions: service.sbomVersions.map(
      (one): StoredVersion => toSbomVersions(one)[0] ?? { sbom_id: one._id, removed: true },
    ),
  };
}

/** The vulnerabilities of a stored service as the rules read them. */
export function vulnerabilitiesOf({
  vulnerabilities,
  details,
}: Pick<WholeService, 'vulnerabilities' | 'details'>): TrackedVulnerability[] {
  return vulnerabilities.map((document) =>
    toVulnerability(document, (id) => details.get(id)?.facts),
  );
}

/** The active acceptances, and whether some are not fully applied yet. */
export function acceptancesOf(
  service: Pick<WholeService, 'acceptances' | 'isBulkRunning' | 'now'>,
): {
  active: ActiveDecision[];
  inProgress: boolean;
} {
  const { acceptances, isBulkRunning, now } = service;
  const isOver = ({ expires_at }: AcceptanceDocument): boolean =>
    expires_at !== null && expires_at <= now;
  return {
    active: acceptances
      .filter((one) => !one.lapsed && one.pending !== 'revert' && !isOver(one))
      .map(activeDecision),
    inProgress:
      isBulkRunning ||
      acceptances.some((one) => one.pending !== null || (!one.lapsed && isOver(one))),
  };
}

/**
 * Reads the findings of all SBOM versions that did not expire. If component sets were never evaluated, or were lost,
 * returns their versions.
 *
 * @throws AppError `service_unavailable` if the scanner is unavailable
 */
export async function readRetained(
  { request, scans }: { request: Request; scans: ScanReader },
  sbomVersions: readonly SbomVersion[],
  atLeast: number,
): Promise<Awaited<ReturnType<typeof readScans>> | { lost: SbomVersion[] }> {
  const digests = [...new Set(retained(sbomVersions).map(({ digest }) => digest))];
  try {
    return await readScans(scans, digests, { atLeast, isWhole: true });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'service_unavailable') throw error;
    const unevaluated: string[] = [];
    for (let from = 0; from < digests.length; from += maxSetsRead) {
      const some = digests.slice(from, from + maxSetsRead);
      const { coverages } = (await request(readCoverages, { digests: some })).body;
      unevaluated.push(...some.filter((digest) => !coverages[digest]));
    }
    if (unevaluated.length === 0) throw error;
    return { lost: sbomVersions.filter(({ digest }) => unevaluated.includes(digest)) };
  }
}
