import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import type { Caller } from '../api-keys/domain/caller';
import { attached, readSbomRecord, retainedRecord } from '../sboms/read-sbom';
import type { NamingDeps } from '../projects/service-names';
import { exportVulnerabilities } from '../vulnerabilities/export-vulnerabilities';

/** A vulnerability of an SBOM with the decision that determines its status. */
export interface DecidedRow {
  id: string;
  cve_id: string;
  aliases: string[];
  purl: string;
  package_versions: string[];
  decision: messages.DecisionReference;
  sbom_id: string;
  project_name: string;
  /** Null: the project-level service. */
  service_name: string | null;
}

/** What is exported: the newest SBOMs of a project or of a service, or one SBOM of the project. */
export interface ExportScope {
  project_id: string;
  service_id?: string | undefined;
  sbom_id?: string | undefined;
}

/**
 * What is decided about the vulnerabilities of the newest SBOMs, or of one SBOM. A decision of a VEX document is about
 * versions in the newest SBOM, so an older one has those of people only.
 *
 * @throws AppError `sbom_not_found`, `document_expired`; `service_unavailable` before the SBOM's scan, and for more than
 *   can be written at once
 */
export async function decidedRows(
  deps: NamingDeps,
  caller: Caller,
  { scope, project_name }: { scope: ExportScope; project_name: string },
): Promise<DecidedRow[]> {
  const { sbom_id, ...newest } = scope;
  if (sbom_id === undefined) return newestRows(deps, caller, newest);
  const record = retainedRecord(await readSbomRecord(deps, caller, sbom_id));
  const { project_id, service_id } = record;
  if (project_id !== scope.project_id) throw new AppError('sbom_not_found');
  if (scope.service_id !== undefined && service_id !== scope.service_id)
    throw new AppError('sbom_not_found');
  if (record.scan_status !== 'scanned')
    throw new AppError('service_unavailable', `The scan of the SBOM is ${record.scan_status}.`);
  const ofService = await newestRows(deps, caller, { project_id, service_id });
  const own = ofService.filter((row) => row.sbom_id === sbom_id);
  return own.length > 0 ? own : rowsOfSbom(deps, record, project_name);
}

async function newestRows(
  deps: NamingDeps,
  caller: Caller,
  { project_id, service_id }: Omit<ExportScope, 'sbom_id'>,
): Promise<DecidedRow[]> {
  const statuses = messages.vulnerabilityStatuses.filter((status) => status !== 'fixed');
  const filter = { project_id, statuses, ...(service_id && { service_id: [service_id] }) };
  const rows: DecidedRow[] = [];
  for await (const part of exportVulnerabilities(deps, caller, filter)) {
    for (const { decision, ...row } of part) if (decision) rows.push({ ...row, decision });
    if (rows.length > messages.maxVexStatements) throw tooMuch();
  }
  return rows;
}

async function rowsOfSbom(
  { request }: { request: Request },
  { id, service_id, service_name, seq, digest }: messages.SbomRecord,
  project_name: string,
): Promise<DecidedRow[]> {
  const query = { sbom_id: id, service_id, seq, digest };
  const { attachment } = await request(messages.listSbomVulnerabilities, query);
  const found = (await unpackJson(attached(attachment))) as messages.BriefVulnerability[];
  const rows = found.flatMap(({ decision, aliases = [], ...row }): DecidedRow[] =>
    decision && decision.source !== 'vex'
      ? [{ ...row, aliases, decision, sbom_id: id, project_name, service_name }]
      : [],
  );
  if (rows.length > messages.maxVexStatements) throw tooMuch();
  return rows;
}

/** The error of an export with more than one document can hold. */
export function tooMuch(): AppError {
  return new AppError(
    'service_unavailable',
    'The project has more decisions or services than one document can hold: name a service_id.',
  );
}
