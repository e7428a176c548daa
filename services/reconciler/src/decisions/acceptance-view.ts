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
    id: acceptance._id,
    project_id: project_id === allProjects ? (projectId ?? project_id) : project_id,
    service_id: services?.length === 1 ? (services[0] ?? null) : null,
    service_ids: services,
    vulnerability_id: acceptance.vulnerability_id,
    decision: acceptance.decision,
    reason: acceptance.reason,
    justification: acceptance.justification,
    detail: acceptance.detail,
    ticket_url: acceptance.ticket_url,
    assignee: acceptance.assignee,
    source: acceptance.source,
    source_document: acceptance.source_document,
    ...(acceptance.rule && { rule_name: acceptance.rule.name }),
    ...(acceptance.bulk_id !== undefined && { bulk_id: acceptance.bulk_id }),
    created_by: acceptance.created_by,
    updated_by: acceptance.updated_by,
    expires_at: acceptance.expires_at?.toISOString() ?? null,
    created_at: acceptance.created_at.toISOString(),
    updated_at: acceptance.updated_at.toISOString(),
  };
}
