import type { NamedAlertRule } from '@bomtrail/messages';
import type { AlertRuleStore } from '../store/alert-rule-store';
import type { DeliveryStore } from '../store/delivery-store';
import type { NotificationStore } from '../store/notification-store';

export interface DeleteDeps {
  rules: Pick<AlertRuleStore, 'delete' | 'deleteOfProject'>;
  notifications: Pick<NotificationStore, 'drop'>;
  deliveries: Pick<DeliveryStore, 'drop'>;
}

/**
 * Deletes a rule and what it has told. A process that is about to store more of it finds no rule any more
 * (see the record store). False when there is no such rule, or another call deleted it.
 */
export async function deleteAlertRule(deps: DeleteDeps, named: NamedAlertRule): Promise<boolean> {
  if (!(await deps.rules.delete(named))) return false;
  const of = { rule_id: named.alert_id };
  await deps.deliveries.drop(of);
  // What a crash leaves here is found by the sweep.
  while (await deps.notifications.drop(of));
  return true;
}

/**
 * Removes what is kept of a deleted project, a bounded part, and lets none come again; also what a rule told of it
 * that has another project now.
 */
export async function deleteProjectData(
  deps: DeleteDeps,
  projectId: string,
): Promise<{ more: boolean }> {
  await deps.rules.deleteOfProject(projectId, new Date());
  await deps.deliveries.drop({ project_id: projectId });
  return { more: await deps.notifications.drop({ project_id: projectId }) };
}
