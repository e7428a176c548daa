import type { NamedAlertRule } from '@bomtrail/messages';
import type { AlertRuleStore } from '../ports';
import type { DeliveryStore } from '../store/delivery-store';
import type { NotificationStore } from '../store/notification-store';
import type { ReminderStore } from '../store/reminder-store';

export interface DeleteDeps {
  rules: Pick<AlertRuleStore, 'delete' | 'deleteOfProject'>;
  notifications: Pick<NotificationStore, 'drop'>;
  deliveries: Pick<DeliveryStore, 'drop'>;
  reminders: Pick<ReminderStore, 'drop'>;
}

/**
 * Deletes a rule with its notifications and deliveries. A process that is about to store more finds
 * no rule (see the record store). False if the rule does not exist or another call deleted it.
 */
export async function deleteAlertRule(deps: DeleteDeps, named: NamedAlertRule): Promise<boolean> {
  if (!(await deps.rules.delete(named))) return false;
  const of = { rule_id: named.alert_id };
  await deps.deliveries.drop(of);
  await deps.reminders.drop(of);
  // The sweep deletes what a crash leaves.
  while (await deps.notifications.drop(of));
  return true;
}

/**
 * Deletes a bounded part of a deleted project's data and prevents new data, including notifications
 * of rules that moved to another project.
 */
export async function deleteProjectData(
  deps: DeleteDeps,
  projectId: string,
): Promise<{ more: boolean }> {
  await deps.rules.deleteOfProject(projectId, new Date());
  await deps.deliveries.drop({ project_id: projectId });
  await deps.reminders.drop({ project_id: projectId });
  return { more: await deps.notifications.drop({ project_id: projectId }) };
}
