import type { AcceptanceView } from '@bomtrail/messages';
import { allProjects, type AcceptanceDocument } from '../tracking/store/documents';

/**
 * The API's record of a decision.
 *
 * @param projectId the project in which a decision for all projects is shown
 */
export function acceptanceView(acceptance: AcceptanceDocument, projectId?: string): AcceptanceView {
  const { services, project_id } = acceptance;
  return {
    ...contentView(acceptance),
    project_id: project_id === allProjects ? (projectId ?? project_id) : project_id,
    service_id: services?.length === 1 ? (services[0] ?? null) : null,
    service_ids: services,
    vulnerability_id: acceptance.vulnerability_id,
    source: acceptance.source,
    source_document: acceptance.source_document,
    ...(acceptance.rule && { rule_name: acceptance.rule.name }),
    ...(acceptance.bulk_id !== undefined && { bulk_id: acceptance.bulk_id }),
  };
}

/** What decisions and standing rules say, and who said it when. */
export function contentView(stored: AcceptanceDocument) {
  return {
    id: stored._id,
    decision: stored.decision,
    reason: stored.reason,
    justification: stored.justification,
    detail: stored.detail,
    ticket_url: stored.ticket_url,
    assignee: stored.assignee,
    created_by: stored.created_by,
    updated_by: stored.updated_by,
    expires_at: stored.expires_at?.toISOString() ?? null,
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at.toISOString(),
  };
}
