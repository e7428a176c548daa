import {
  AppError,
  listServiceSboms,
  maxServiceSbomsListed,
  readCoverage,
  type ServiceSbom,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { Logged, RegisteredSbom } from '../domain/compare-log';
import type { Coverer } from '../domain/types';
import type { AcceptanceDocument, LogDocument } from '../store/documents';
import { logEntry } from '../store/ledger-store';
import type { WholeLine } from '../store/line-check-store';
import { toRow } from '../store/row-mapping';
import { coverer } from './change-once';
import type { StoredState } from '../domain/expected-line';

/** A line as the catalog holds it. */
export interface CatalogLine {
  state: 'there' | 'deleting' | 'unknown';
  project_id: string | null;
  sboms: RegisteredSbom[];
  /** SBOMs of which an advisory change is owed. */
  owed: string[];
}

/** Everything that the catalog says of a line. */
export async function readCatalogLine(request: Request, serviceId: string): Promise<CatalogLine> {
  const sboms: ServiceSbom[] = [];
  for (;;) {
    const after_seq = sboms.at(-1)?.seq ?? 0;
    const asked = { service_id: serviceId, after_seq, limit: maxServiceSbomsListed };
    const { body } = await request(listServiceSboms, asked);
    sboms.push(...body.sboms);
    if (body.sboms.length === maxServiceSbomsListed) continue;
    return {
      state: body.line,
      project_id: body.project_id,
      sboms: sboms.map((sbom) => ({ ...sbom, scanned: sbom.scan_status === 'scanned' })),
      owed: sboms
        .filter(({ rescan_pending, deleting }) => rescan_pending && !deleting)
        .map(({ sbom_id }) => sbom_id),
    };
  }
}

/** A stored line as the rules read it. */
export function stateOf(line: Pick<WholeLine, 'ledger' | 'rows' | 'log'>): StoredState {
  return {
    head: line.ledger?.head ?? null,
    rows: line.rows.map(toRow),
    log: line.log.map(loggedOf),
  };
}

function loggedOf(document: LogDocument): Logged {
  const [entry] = logEntry(document);
  return entry ?? { sbom_id: document._id, removed: true };
}

/** The acceptances that are in force, and whether the rows need not show all of them as they are yet. */
export function acceptancesAt(line: Pick<WholeLine, 'acceptances' | 'now'>): {
  inForce: Coverer[];
  underWay: boolean;
} {
  const { acceptances, now } = line;
  const isOver = ({ expires_at }: AcceptanceDocument): boolean =>
    expires_at !== null && expires_at <= now;
  return {
    inForce: acceptances
      .filter((one) => !one.lapsed && one.pending !== 'revert' && !isOver(one))
      .map(coverer),
    underWay: acceptances.some((one) => one.pending !== null || (!one.lapsed && isOver(one))),
  };
}

/**
 * Runs a reading of findings; where a component set was never evaluated, or was lost since, gives the
 * sets of which that is so.
 *
 * @throws AppError `service_unavailable` where the scanner is away
 */
export async function orUnevaluated<Result>(
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
