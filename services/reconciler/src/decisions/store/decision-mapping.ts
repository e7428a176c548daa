import { allProjects, type AcceptanceDocument } from '../../tracking/store/documents';
import type { ActiveDecision } from '../../tracking/domain/decision-types';
import type { TimedDecision } from '../domain/decided-spans';

/** A stored decision as the rules read it. */
export function activeDecision(acceptance: AcceptanceDocument): ActiveDecision {
  const { packages, expires_at, decided_at, rule } = acceptance;
  return {
    id: acceptance._id,
    decision: acceptance.decision,
    source: acceptance.source,
    identity: acceptance.identity,
    ...(rule && { selects: rule.filter }),
    is_global: acceptance.project_id === allProjects,
    services: acceptance.services,
    ...(packages && { packages }),
    expires_at: expires_at?.toISOString() ?? null,
    decided_at: decided_at.toISOString(),
    ticket_url: acceptance.ticket_url,
    assignee: acceptance.assignee,
  };
}

/** The same with its times. */
export function timedDecision(acceptance: AcceptanceDocument): TimedDecision {
  return {
    ...activeDecision(acceptance),
    created_at: acceptance.created_at.toISOString(),
    former: acceptance.former.map(({ decision, until }) => ({
      decision,
      until: until.toISOString(),
    })),
    lapsed: acceptance.lapsed,
  };
}
