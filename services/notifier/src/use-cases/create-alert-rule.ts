import { AppError, checkScope, type AlertRuleView, type NewAlertRule } from '@bomtrail/messages';
import type { KeyedMutex, Request } from '@bomtrail/service-kit';
import { v7 as newId } from 'uuid';
import type { AlertRuleStore } from '../store/alert-rule-store';
import { alertRuleView } from './views';

export interface AlertRuleDeps {
  rules: AlertRuleStore;
  request: Request;
  /** Runs what puts rules into one project one after the other: in the database they would fight over it. */
  withKey: KeyedMutex;
  /** Alert rules that a project may have (`ALERT_MAX_RULES_PER_PROJECT`). */
  rulesPerProject: number;
}

/** What a caller is told when a project takes no further rule. */
export function tooManyRules({
  rulesPerProject,
}: Pick<AlertRuleDeps, 'rulesPerProject'>): AppError {
  return new AppError(
    'too_many_alert_rules',
    `The project has ${rulesPerProject} alert rules, as many as a project may have here (ALERT_MAX_RULES_PER_PROJECT): delete one first.`,
  );
}

/**
 * The catalog knows which projects exist. One that is deleted between its answer and the insert is
 * noticed by the insert.
 *
 * @throws AppError `project_not_found`, `too_many_alert_rules`
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
  const outcome = await deps.withKey(rule.project_id, () =>
    deps.rules.insert(rule, deps.rulesPerProject),
  );
  if (outcome === 'gone') throw new AppError('project_not_found');
  if (outcome === 'full') throw tooManyRules(deps);
  return alertRuleView(rule);
}
