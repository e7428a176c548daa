import {
  AppError,
  isInScope,
  maxVexStatementsReturned,
  pageWindow,
  type listVex as definition,
  type PageOf,
  type ProjectScope,
  type RequestOf,
  type VexConflictView,
  type VexDocumentDetail,
  type VexDocumentView,
  type VexStatementView,
} from '@bomtrail/messages';
import { stateMapping, type Identifier, type VexStatement } from '@bomtrail/vex';
import { allProjects } from '../tracking/store/documents';
import type { VexConflict } from './domain/vex-conflicts';
import { combineResults, type StatementResult } from './domain/statement-results';
import { vulnerabilityIdsOf } from './domain/vex-documents';
import type { VexDocumentStore, VexEvaluationStore, VexRecord } from './ports';

export interface DescribeVexDeps {
  vexDocuments: VexDocumentStore;
  vexEvaluations: VexEvaluationStore;
}

/** One page of the stored documents, the one changed last first. */
export async function listVex(
  { vexDocuments }: DescribeVexDeps,
  query: RequestOf<typeof definition>,
): Promise<PageOf<VexDocumentView>> {
  const { project_id: within, feed } = query;
  const { items, total } = await vexDocuments.list({ within, feed }, pageWindow(query));
  return { items: items.map(viewOf), total };
}

/** A document with what became of its statements. @throws AppError `vex_not_found` */
export async function readVexDocument(
  deps: DescribeVexDeps,
  { vex_id, of_project }: { vex_id: string; of_project: ProjectScope | null },
): Promise<VexDocumentDetail> {
  const record = await deps.vexDocuments.byId(vex_id);
  const isVisible =
    record?.project_id === allProjects || isInScope(of_project, record?.project_id ?? '');
  if (!record || !isVisible) throw new AppError('vex_not_found');
  return describeVex(deps, record, of_project ?? undefined);
}

/**
 * What a document decides, and why its other statements decide nothing.
 *
 * @param within limits the SBOMs; undefined: all that the document may apply to
 * @throws AppError `vex_not_found` if it was deleted meanwhile
 */
export async function describeVex(
  { vexDocuments, vexEvaluations }: DescribeVexDeps,
  record: VexRecord,
  within?: ProjectScope,
): Promise<VexDocumentDetail> {
  const scope = record.project_id === allProjects ? within : record.project_id;
  const statements = await vexDocuments.statementsOf(record._id);
  if (!statements) throw new AppError('vex_not_found');
  const [encoded, pending_services, present, conflicting] = await Promise.all([
    vexEvaluations.resultsOf(record._id, scope),
    vexEvaluations.countPending(scope),
    vexEvaluations.presentIds(scope, vulnerabilityIdsOf(statements)),
    vexEvaluations.conflictsWith(record._id, scope),
  ]);
  const conflicts = await describeConflicts(vexDocuments, record._id, conflicting);
  const combined = combineResults(encoded, statements.length);
  const views = statements.map((statement, index) =>
    statementView(statement, { index, result: combined[index], present }),
  );
  const not_applied: Record<string, number> = {};
  for (const { reason } of views)
    if (reason !== null) not_applied[reason] = (not_applied[reason] ?? 0) + 1;
  return {
    ...viewOf(record),
    applied: views.filter(({ reason }) => reason === null).length,
    not_applied,
    pending_services,
    conflicts,
    results: views.slice(0, maxVexStatementsReturned),
  };
}

/** Conflicts that are returned. */
const maxConflicts = 200;

/** The conflicts of a document over all services, each once, with what the other document says. */
async function describeConflicts(
  vexDocuments: VexDocumentStore,
  vexId: string,
  conflicting: readonly (readonly VexConflict[])[],
): Promise<VexConflictView[]> {
  const counted = new Map<string, { conflict: VexConflict; services: number }>();
  for (const conflict of conflicting.flat()) {
    const key = JSON.stringify(conflict);
    const services = (counted.get(key)?.services ?? 0) + 1;
    counted.set(key, { conflict, services });
  }
  const others = new Map<string, { document_id: string; statements: readonly VexStatement[] }>();
  const views: VexConflictView[] = [];
  for (const { conflict, services } of [...counted.values()].slice(0, maxConflicts)) {
    const isFormer = conflict.former.vex_id === vexId;
    const [own, other] = isFormer
      ? [conflict.former, conflict.latter]
      : [conflict.latter, conflict.former];
    if (!others.has(other.vex_id)) {
      const record = await vexDocuments.byId(other.vex_id);
      const statements = (await vexDocuments.statementsOf(other.vex_id)) ?? [];
      // The SBOM itself has no record.
      others.set(other.vex_id, { document_id: record?.document_id ?? other.vex_id, statements });
    }
    const { document_id = '', statements = [] } = others.get(other.vex_id) ?? {};
    const status = statements[other.index]?.status ?? null;
    const place = { index: own.index, other_index: other.index };
    views.push({ ...place, document_id, status, counts: !isFormer, services });
  }
  return views;
}

interface Outcome {
  index: number;
  result: StatementResult | undefined;
  present: ReadonlySet<string>;
}

function statementView(
  statement: VexStatement,
  { index, result, present }: Outcome,
): VexStatementView {
  const { vulnerability, products, status, justification } = statement;
  const isPresent = vulnerability.some((id) => present.has(id.toUpperCase()));
  const fits = result?.fits ?? 0;
  return {
    index,
    vulnerability,
    products: products.map(({ identifiers }) => identifiers.map(nameOf)[0] ?? ''),
    status,
    justification,
    decision: stateMapping(status).decision,
    services: isPresent ? fits : 0,
    reason: reasonOf(statement, { isPresent, result }),
  };
}

function reasonOf(
  { vulnerability }: VexStatement,
  { isPresent, result }: { isPresent: boolean; result: StatementResult | undefined },
): string | null {
  if (vulnerability.length === 0) return 'no_vulnerability_named';
  if (!isPresent) return 'vulnerability_not_found';
  if (!result || (result.fits === 0 && result.reason === null)) return 'pending';
  return result.fits > 0 ? null : result.reason;
}

function nameOf(identifier: Identifier): string {
  if (identifier.kind !== 'bom') return identifier.value;
  const { serial, version, ref } = identifier;
  if (version === null) return `urn:uuid:${serial}`;
  return `urn:cdx:${serial}/${version}${ref === null ? '' : `#${ref}`}`;
}

function viewOf(record: VexRecord): VexDocumentView {
  return {
    id: record._id,
    project_id: record.project_id === allProjects ? null : record.project_id,
    document_id: record.document_id,
    format: record.format,
    spec_version: record.spec_version,
    version: record.version,
    author: record.author,
    sha256: record.sha256,
    feed: record.feed,
    issued_at: record.issued_at,
    last_updated: record.last_updated,
    statements: record.statement_count,
    created_by: record.created_by,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
  };
}
