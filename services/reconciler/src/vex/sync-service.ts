import { AppError, getSbom, matchVex } from '@bomtrail/messages';
import { packJson, unpackJson, type Request } from '@bomtrail/messaging';
import type { StatementMatch } from '@bomtrail/vex';
import { v7 as newId } from 'uuid';
import { noVulnerability } from '../decisions/domain/slots';
import { changeService } from '../tracking/change-service';
import { onlyAcceptances } from '../tracking/plan';
import type { ChangeDeps } from '../tracking/stored-service';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { conflictsIn, mayDisagreeOtherwise } from './conflicts-in-service';
import { decideByVex, type VexDecision } from './domain/decide-by-vex';
import { encodeResults } from './domain/statement-results';
import { placedStatements, type PlacedStatement, type StoredVex } from './domain/vex-documents';
import { maxSuggestions, readEmbedded, type MatchedStatements } from './embedded-vex';
import {
  vexRules,
  type StoredSuggestion,
  type VexDocumentStore,
  type VexEvaluation,
  type VexEvaluationStore,
  type VexService,
} from './ports';

export interface SyncServiceDeps {
  request: Request;
  vexDocuments: VexDocumentStore;
  vexEvaluations: VexEvaluationStore;
}

const none: MatchedStatements = { statements: [], matches: [] };

/** Longest reason of a decision; statements may have any. */
const maxReason = 2_000;

/**
 * Makes the decisions that stored documents make about one SBOM of a service, unless they are made. The vulnerabilities
 * do not reflect them yet. After an interruption, repeating it completes the work.
 *
 * @returns the ids of vulnerabilities whose decisions changed
 * @throws AppError of ingest and catalog, except for an SBOM that was deleted
 */
export async function decideService(
  deps: SyncServiceDeps,
  service: VexService,
  sbomId: string,
): Promise<string[]> {
  for (;;) {
    const [revision = 0] = await deps.vexDocuments.revisionsOf([service.project_id]);
    const known = await deps.vexEvaluations.evaluationOf(service.service_id);
    if (revision === 0 && !known) return [];
    const isOfSbom = known?.sbom_id === sbomId && known.revision === revision;
    if (isOfSbom && (await isCurrent(deps, service, known))) return [];
    const matched = await matchStatements(deps, service, sbomId);
    if (!matched) return [];
    const { applied, suggested } = matched;
    const evaluation = {
      sbom_id: sbomId,
      revision,
      rules: vexRules,
      applied: false,
      results: matched.results,
      ...(await conflictsIn(deps, service, applied)),
      ...(suggested && { suggestions: suggestionsOf(suggested, service) }),
    };
    const decisions = decideByVex(applied.statements, applied.matches).map((one) =>
      acceptanceOf(one, service),
    );
    const changed = await deps.vexEvaluations.replace(service, evaluation, decisions);
    if (changed !== null) return changed;
    const [now] = await deps.vexDocuments.revisionsOf([service.project_id]);
    // The service or its project was deleted.
    if (now === revision) return [];
  }
}

/** Whether an evaluation is by the present rules and aliases. */
async function isCurrent(
  deps: SyncServiceDeps,
  { service_id }: VexService,
  known: VexEvaluation,
): Promise<boolean> {
  return known.rules === vexRules && !(await mayDisagreeOtherwise(deps, service_id, known));
}

/** The same with the vulnerabilities of the service. */
export async function syncService(
  deps: SyncServiceDeps & { batched: ChangeDeps },
  service: VexService,
  sbomId: string,
): Promise<void> {
  await decideService(deps, service, sbomId);
  const evaluation = await deps.vexEvaluations.evaluationOf(service.service_id);
  if (!evaluation || evaluation.applied) return;
  await changeService(deps.batched, service, onlyAcceptances());
  await deps.vexEvaluations.markApplied(service.service_id, evaluation);
}

/** What VEX documents and an SBOM itself say about it. */
interface MatchedSbom {
  /** What decides. */
  applied: MatchedStatements;
  /** What is only shown; null: nothing is. */
  suggested: MatchedStatements | null;
  /** Encoded results of the documents, by record. */
  results: Record<string, string>;
}

/**
 * Matches an SBOM with the documents that apply in its project, and reads its own statements. Null: it was deleted.
 *
 * @throws AppError of ingest and catalog
 */
export async function matchStatements(
  deps: Omit<SyncServiceDeps, 'vexEvaluations'>,
  { project_id }: VexService,
  sbomId: string,
): Promise<MatchedSbom | null> {
  const documents = await deps.vexDocuments.documentsIn(project_id);
  const statements = placedStatements(documents);
  const matches = await matchWith(deps, sbomId, statements);
  const mode = await deps.vexDocuments.embeddedIn(project_id);
  const embedded = mode === 'off' ? none : await readEmbedded(deps, sbomId);
  if (matches === null || embedded === null) return null;
  const own = mode === 'apply' ? embedded : none;
  return {
    applied: {
      statements: [...statements, ...own.statements],
      matches: [...matches, ...own.matches],
    },
    suggested: mode === 'suggest' ? embedded : null,
    results: resultsOf(documents, statements, matches),
  };
}

/** What an SBOM suggests, as decisions that are not made. */
function suggestionsOf(
  { statements, matches }: MatchedStatements,
  service: VexService,
): StoredSuggestion[] {
  return decideByVex(statements, matches)
    .slice(0, maxSuggestions)
    .map((one) => {
      const made = acceptanceOf(one, service);
      const { decision, justification, reason, identity, packages, source_document } = made;
      const source = source_document ?? { id: '', version: null, statement: null };
      const said = { decision, justification, reason, identity, source_document: source };
      return { ...said, ...(packages && { packages }) };
    });
}

/** Null: the SBOM was deleted. */
async function matchWith(
  { request }: Pick<SyncServiceDeps, 'request'>,
  sbomId: string,
  statements: readonly PlacedStatement[],
): Promise<StatementMatch[] | null> {
  if (statements.length === 0) return [];
  try {
    const { sha256 } = (await request(getSbom, { sbom_id: sbomId })).body;
    const products = statements.map(({ statement }) => statement.products);
    const packed = await packJson(JSON.stringify(products));
    const { attachment } = await request(matchVex, { sha256 }, packed);
    return (await unpackJson(attachment ?? Buffer.alloc(0))) as StatementMatch[];
  } catch (error) {
    if (error instanceof AppError && error.code === 'sbom_not_found') return null;
    throw error;
  }
}

function resultsOf(
  documents: readonly StoredVex[],
  statements: readonly PlacedStatement[],
  matches: readonly StatementMatch[],
): Record<string, string> {
  return Object.fromEntries(
    documents.map((stored) => {
      const own = matches.filter((_match, index) => statements[index]?.stored === stored);
      return [stored.id, encodeResults(own)];
    }),
  );
}

/** A decision of a statement about a service, as it is stored. */
export function acceptanceOf(
  { placed, decision, packages }: VexDecision,
  { service_id, project_id }: VexService,
): AcceptanceDocument {
  const { stored, statement, index, at, ids } = placed;
  const { document } = stored;
  const said = statement.detail ?? statement.action ?? '';
  const now = new Date();
  return {
    _id: newId(),
    project_id,
    services: [service_id],
    ...(packages && { packages }),
    vulnerability_id: noVulnerability,
    identity: ids,
    decision,
    reason: (said === '' ? `${document.author}: ${statement.status}` : said).slice(0, maxReason),
    justification: decision === 'not_affected' ? statement.justification : null,
    detail: statement.status === 'fixed' ? 'fixed' : null,
    ticket_url: null,
    assignee: null,
    source: 'vex',
    source_document: { id: document.id, version: document.version, statement: String(index) },
    vex_id: stored.id,
    created_by: null,
    updated_by: null,
    expires_at: null,
    created_at: now,
    updated_at: now,
    decided_at: new Date(at),
    former: [],
    lapsed: false,
    pending: null,
  };
}
