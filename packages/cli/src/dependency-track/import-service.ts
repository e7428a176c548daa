import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ApiError } from '@bomtrail/api-client';
import { maxPageSize } from '../commands/max-page-size';
import type { Context } from '../context';
import { serviceError } from '../exit-codes';
import { awaitVerdict } from '../gate/await-verdict';
import type { ExportFolder, ImportState } from './export-folder';
import { isAnalysed, mapAnalysis, type MappedDecision } from './map-analysis';
import { matchDecisions, type TrackedRow } from './match-decisions';
import { analysisKey } from './model';
import type { ServicePlan } from './plan-services';
import { emptyReport, type ServiceReport } from './report';
import type { ServerReport } from './server-report';

export interface ImportDeps {
  context: Context;
  folder: ExportFolder;
  state: ImportState;
  projectId: string;
  /** Maximum wait for the scan of a newest version, in milliseconds. */
  waitMs: number;
  server: Pick<ServerReport, 'alive'>;
}

/**
 * Uploads the versions of an application in order and records the decisions about its newest one. What is done already,
 * as the folder's state or the server says, is not done again.
 *
 * @throws CliError, ApiError; repeating the import continues
 */
export async function importService(deps: ImportDeps, plan: ServicePlan): Promise<ServiceReport> {
  const { service, versions } = plan;
  const report: ServiceReport = emptyReport(plan);
  let newest: { uuid: string; sbomId: string } | null = null;
  for (const { uuid, version } of versions) {
    const stored = await uploadVersion(deps, { uuid, version, service });
    if (typeof stored === 'string') {
      report.uploaded += 1;
      newest = { uuid, sbomId: stored };
    } else report.refused.push({ version: version ?? '', uuid, reason: stored.refused });
    await deps.server.alive();
  }
  if (newest !== null) await decide(deps, newest, report);
  return report;
}

async function uploadVersion(
  { context, folder, state, projectId }: ImportDeps,
  { uuid, version, service }: { uuid: string; version: string | undefined; service: string },
): Promise<string | { refused: string }> {
  const known = state.sboms[uuid];
  if (known !== undefined) return known;
  const bom = folder.bom(uuid);
  if (bom === null) return { refused: 'Dependency-Track has no SBOM of it.' };
  try {
    const named = { ...(version && { version }), service_name: service };
    const file = gzipSync(bom);
    const { id } = await context.api.upload({ project_id: projectId, ...named, file });
    state.sboms[uuid] = id;
    folder.writeState(state);
    return id;
  } catch (error) {
    const isOfDocument =
      error instanceof ApiError &&
      [400, 413, 422].includes(error.status) &&
      error.code !== 'malformed_multipart';
    if (!isOfDocument) throw error;
    return { refused: error.detail };
  }
}

async function decide(
  deps: ImportDeps,
  { uuid, sbomId }: { uuid: string; sbomId: string },
  report: ServiceReport,
): Promise<void> {
  const { context, folder } = deps;
  const data = folder.data(uuid);
  const findings = data?.findings ?? [];
  const mapped = new Map<string, MappedDecision>();
  for (const finding of findings.filter(isAnalysed)) {
    const key = analysisKey(finding);
    const decision = mapAnalysis(finding, data?.analyses[key] ?? null);
    if (decision !== null) mapped.set(key, decision);
    report.analyses += 1;
    if (decision === null) report.unmatched.push(unmatched(finding, 'stays_open'));
  }
  report.findings_there = findings.length;
  const rows = await rowsOf(deps, sbomId);
  report.findings_here = rows.length;
  const { decided, unmatched: others } = matchDecisions(findings, mapped, rows);
  for (const { row, decision } of decided) {
    const digest = createHash('sha256')
      .update(JSON.stringify([row.id, decision]))
      .digest('hex');
    const { reason, detail, justification } = decision;
    const made = await context.api.decideInBulk({
      project_id: deps.projectId,
      vulnerability_ids: [row.id],
      idempotency_key: `dependency-track-${digest}`,
      decision: decision.decision,
      justification,
      reason,
      detail,
    });
    // A repeated import answers its first call again, which somebody may have revoked since.
    report.decided += made.status === 'done' ? made.decided : 1;
    await deps.server.alive();
  }
  for (const finding of findings) {
    const why = others.get(analysisKey(finding));
    if (why !== undefined) report.unmatched.push(unmatched(finding, why));
  }
}

function unmatched(
  { component, vulnerability }: Parameters<typeof mapAnalysis>[0],
  reason: ServiceReport['unmatched'][number]['reason'],
): ServiceReport['unmatched'][number] {
  return {
    vulnerability: vulnerability.vulnId,
    component: component.purl ?? `${component.name} ${component.version ?? ''}`.trim(),
    reason,
  };
}

/** The tracked vulnerabilities of the service that its newest SBOM has, in every status. */
async function rowsOf({ context, projectId, waitMs }: ImportDeps, sbomId: string) {
  const gate = {
    failOn: undefined,
    onlyNew: false,
    failOnKev: false,
    maxEpss: undefined,
    failOnLicense: false,
    minQuality: undefined,
  };
  const rest = { onlyFixable: false, baseline: undefined };
  const verdict = await awaitVerdict(context.api, { ...gate, ...rest, sbomId, withinMs: waitMs });
  if (verdict.scan_status !== 'scanned')
    throw serviceError(`SBOM ${sbomId} is not scanned yet; repeat the command to go on.`);
  const { service_id } = verdict;
  if (!service_id) throw serviceError(`SBOM ${sbomId} has no service.`);
  const rows: TrackedRow[] = [];
  for (let page = 1; ; page += 1) {
    const read = await context.api.vulnerabilities({
      project_id: projectId,
      service_id,
      status: 'open,accepted,not_affected,false_positive',
      page,
      per_page: maxPageSize,
    });
    rows.push(...read.items);
    if (!read.has_more) return rows;
  }
}
