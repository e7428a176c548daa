import { AppError, checkScope, type AlertRuleView, type NewAlertRule } from '@bomtrail/messages';
import type { KeyedMutex } from '@bomtrail/concurrency';
import type { Request } from '@bomtrail/messaging';
import { optionsOf } from '../domain/alert-options';
import { reasonsOf } from '../domain/alert-reasons';
import { v7 as newId } from 'uuid';
import type { AlertRuleStore } from '../ports';
import { alertRuleView } from './views';

export interface AlertRuleDeps {
  rules: AlertRuleStore;
  request: Request;
  /** Serialises inserts into one project, which would conflict in the database. */
  withKey: KeyedMutex;
  /** Maximum alert rules per project (`ALERT_MAX_RULES_PER_PROJECT`). */
  rulesPerProject: number;
}

/** The error of a project with the maximum number of rules. */
export function tooManyRules({
  rulesPerProject,
}: Pick<AlertRuleDeps, 'rulesPerProject'>): AppError {
  return new AppError(
    'too_many_alert_rules',
    `The project has ${rulesPerProject} alert rules, the maximum (ALERT_MAX_RULES_PER_PROJECT): delete one first.`,
  );
}

/**
 * Creates a rule. The catalog checks that the project exists; the insert detects a project deleted
 * since.
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
    ...reasonsOf(input.config),
    options: optionsOf(input.config),
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
