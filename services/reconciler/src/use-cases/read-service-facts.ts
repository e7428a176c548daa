import {
  AppError,
  listServiceSboms,
  maxServiceSbomsListed,
  readCoverage,
  type ServiceSbom,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { StoredVersion, RegisteredSbom } from '../domain/compare-versions';
import type { ActiveDecision } from '../domain/types';
import type { AcceptanceDocument, SbomVersionDocument } from '../store/documents';
import { toSbomVersions } from '../store/service-state-store';
import type { WholeService } from '../store/service-check-store';
import { toVulnerability } from '../store/vulnerability-mapping';
import { activeDecision } from './change-once';
import type { StoredState } from '../domain/expected-service';

/** A line as the catalog holds it. */
export interface CatalogService {
  state: 'there' | 'deleting' | 'unknown';
  project_id: string | null;
  sboms: RegisteredSbom[];
  /** SBOMs of which an advisory change is owed. */
  pendingRescans: string[];
}

/** Everything that the catalog says of a line. */
export async function readCatalogService(
  request: Request,
  serviceId: string,
): Promise<CatalogService> {
  const sboms: ServiceSbom[] = [];
  for (;;) {
    const after_seq = sboms.at(-1)?.seq ?? 0;
    const asked = { service_id: serviceId, after_seq, limit: maxServiceSbomsListed };
    const { body } = await request(listServiceSboms, asked);
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

/** A stored line as the rules read it. */
export function stateOf(
  service: Pick<WholeService, 'state' | 'vulnerabilities' | 'sbomVersions'>,
): StoredState {
  return {
    head: service.state?.head ?? null,
    vulnerabilities: service.vulnerabilities.map(toVulnerability),
    sbomVersions: service.sbomVersions.map(storedVersionsOf),
  };
}

function storedVersionsOf(document: SbomVersionDocument): StoredVersion {
  const [stored] = toSbomVersions(document);
  return stored ?? { sbom_id: document._id, removed: true };
}

/** The acceptances that are in force, and whether the rows need not show all of them as they are yet. */
export function acceptancesOf(service: Pick<WholeService, 'acceptances' | 'now'>): {
  active: ActiveDecision[];
  inProgress: boolean;
} {
  const { acceptances, now } = service;
  const isOver = ({ expires_at }: AcceptanceDocument): boolean =>
    expires_at !== null && expires_at <= now;
  return {
    active: acceptances
      .filter((one) => !one.lapsed && one.pending !== 'revert' && !isOver(one))
      .map(activeDecision),
    inProgress: acceptances.some((one) => one.pending !== null || (!one.lapsed && isOver(one))),
  };
}

/**
 * Runs a reading of findings; where a component set was never evaluated, or was lost since, gives the
 * sets of which that is so.
 *
 * @throws AppError `service_unavailable` where the scanner is away
 */
export async function withUnevaluated<Result>(
  request: Request,
  digests: readonly string[],
  reading: () => Promise<Result>,
): Promise<Result | { unevaluated: string[] }> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'service_unavailable') throw error;
    const unevaluated: string[] = [];
    for (const digest of new Set(digests)) {
      const { body } = await request(readCoverage, { digest });
      if (body.coverage === null) unevaluated.push(digest);
    }
    if (unevaluated.length === 0) throw error;
    return { unevaluated };
  }
}
