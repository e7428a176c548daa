import type { DecisionReference } from '@bomtrail/messages';
import type { Decided } from '../../tracking/domain/decision-types';

/** The API's reference to the decision that determines the status of a vulnerability. */
export function decisionReference(decided: Decided | undefined): DecisionReference | null {
  if (!decided) return null;
  const { id, decision, source, ticket_url = null, assignee = null } = decided;
  const contradicted = decided.contradicted ?? false;
  return { acceptance_id: id, decision, source, ticket_url, assignee, contradicted };
}
