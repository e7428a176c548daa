import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { hasRight, maySee, narrowed, scopeOf, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';

export interface AlertRuleDeps {
  request: Request;
}

export async function listAlertRules(
  deps: AlertRuleDeps,
  caller: Caller,
  requested: PageRequest,
): Promise<messages.PageOf<messages.AlertRuleView>> {
  const scope = narrowed(caller, undefined);
  if (scope === 'nothing') return { items: [], total: 0 };
  return (
    await deps.request(messages.listAlertRules, { ...requested, project_id: scope.projectId })
  ).body;
}

/** @throws AppError `insufficient_scope`, `project_not_found` */
export async function createAlertRule(
  deps: AlertRuleDeps,
  caller: Caller,
  rule: messages.NewAlertRule,
): Promise<messages.AlertRuleView> {
  expectMayTell(caller, rule.config);
  if (!maySee(caller, rule.project_id)) throw new AppError('project_not_found');
  return (await deps.request(messages.createAlertRule, rule)).body;
}

/** @throws AppError `insufficient_scope`, `alert_rule_not_found`, `project_not_found` */
export async function updateAlertRule(
  deps: AlertRuleDeps,
  caller: Caller,
  update: { alert_id: string; changes: Partial<messages.NewAlertRule> },
): Promise<void> {
  const { project_id, config = {} } = update.changes;
  expectMayTell(caller, config);
  if (project_id !== undefined && !maySee(caller, project_id)) {
    throw new AppError('project_not_found');
  }
  await deps.request(messages.updateAlertRule, { ...update, of_project: scopeOf(caller) });
}

/** @throws AppError `insufficient_scope` for what only administrators of everything may be told */
function expectMayTell(caller: Caller, config: messages.NewAlertRule['config']): void {
  if (config['installation'] !== true) return;
  if (hasRight(caller, 'administer')) return;
  throw new AppError(
    'insufficient_scope',
    'A rule with `installation` needs an administrator of all projects, or an API key with the scope admin and without a project.',
  );
}

/** @throws AppError `alert_rule_not_found` */
export async function deleteAlertRule(
  deps: AlertRuleDeps,
  caller: Caller,
  alertId: string,
): Promise<void> {
  await deps.request(messages.deleteAlertRule, { alert_id: alertId, of_project: scopeOf(caller) });
}

/** @throws AppError `alert_rule_not_found` */
export async function listAlertDeliveries(
  deps: AlertRuleDeps,
  caller: Caller,
  requested: PageRequest & { alert_id: string },
): Promise<messages.PageOf<messages.DeliveryView>> {
  const named = { ...requested, of_project: scopeOf(caller) };
  return (await deps.request(messages.listDeliveries, named)).body;
}

/** @throws AppError `alert_rule_not_found` */
export async function previewAlertRule(
  deps: AlertRuleDeps,
  caller: Caller,
  alertId: string,
): Promise<messages.AlertPreview> {
  const named = { alert_id: alertId, of_project: scopeOf(caller) };
  return (await deps.request(messages.previewAlertRule, named)).body;
}

/**
 * Adds the time of the next allowed test to `rate_limited`.
 *
 * @throws AppError `alert_rule_not_found`, `rate_limited`
 */
export async function testAlertRule(
  deps: AlertRuleDeps,
  caller: Caller,
  alertId: string,
): Promise<messages.DeliveryView> {
  const requested = { alert_id: alertId, of_project: scopeOf(caller), key_id: caller.id };
  try {
    return (await deps.request(messages.testAlertRule, requested)).body;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
    const seconds = error.retryAfterSeconds ?? messages.secondsBetweenTests;
    throw new AppError('rate_limited', error.message, seconds);
  }
}
