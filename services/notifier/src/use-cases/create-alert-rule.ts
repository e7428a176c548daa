import { AppError, checkScope, type AlertRuleView, type NewAlertRule } from '@bomtrail/messages';
import type { InTurn, Request } from '@bomtrail/service-kit';
import { v7 as newId } from 'uuid';
import type { AlertRuleStore } from '../store/alert-rule-store';
import { alertRuleView } from './views';

export interface AlertRuleDeps {
  rules: AlertRuleStore;
  request: Request;
  /** Runs what puts rules into one project one after the other: in the database they would fight over it. */
  inTurn: InTurn;
}

/**
 * The catalog knows which projects exist. One that is deleted between its answer and the insert is
 * noticed by the insert.
 *
 * @throws AppError `project_not_found`
 */
export async function createAlertRule(
  deps: AlertRuleDeps,
  input: NewAlertRule,
): Promise<AlertRuleView> {
  await deps.request(checkScope, { project_id: input.project_id, service_id: null });
  const rule = {
    ...input,
    _id: newId(),
    config: JSON.stringify(input.config),
    created_at: new Date(),
    updated_at: null,
  };
  const outcome = await deps.inTurn(rule.project_id, () => deps.rules.insert(rule));
  if (outcome === 'gone') throw new AppError('project_not_found');
  return alertRuleView(rule);
}
