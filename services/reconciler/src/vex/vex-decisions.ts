import { v7 as newId } from 'uuid';
import { noVulnerability } from '../decisions/domain/slots';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { decideByVex, type VexDecision } from './domain/decide-by-vex';
import type { MatchedStatements } from './domain/vex-documents';
import type { Service } from '../tracking/domain/types';

/** Longest reason of a decision; statements may have any. */
const maxReason = 2_000;

/** The decisions of statements about one SBOM of a service, as they are stored if it is the newest. */
export function decisionsBy(
  { statements, matches }: MatchedStatements,
  service: Service,
): AcceptanceDocument[] {
  return decideByVex(statements, matches).map((one) => acceptanceOf(one, service));
}

function acceptanceOf(
  { placed, decision, packages }: VexDecision,
  { service_id, project_id }: Service,
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
