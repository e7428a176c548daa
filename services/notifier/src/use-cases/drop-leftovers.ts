import type { Request } from '@bomtrail/messaging';
import type { AlertRuleStore } from '../ports';
import type { DeliveryStore } from '../store/delivery-store';
import type { NotificationStore } from '../store/notification-store';
import type { ReminderStore } from '../store/reminder-store';
import { projectServiceStates } from './project-service-states';

export interface DropLeftoversDeps {
  rules: Pick<AlertRuleStore, 'existing'>;
  notifications: Pick<NotificationStore, 'projects' | 'services' | 'rules' | 'drop'>;
  deliveries: Pick<DeliveryStore, 'rules' | 'drop'>;
  reminders: Pick<ReminderStore, 'rules' | 'drop'>;
  request: Request;
}

/** Rules per database query. */
const rulesAtOnce = 1_000;

/**
 * Deletes data of rules and services that no longer exist. Stored data are read first, so that a
 * service that appears meanwhile is in the reconciler's response and keeps its data.
 *
 * @returns the number of rules and services whose data were deleted
 * @throws AppError of the reconciler; nothing is deleted then
 */
export async function dropLeftovers(deps: DropLeftoversDeps): Promise<number> {
  let dropped = 0;
  const stored = [
    ...new Set([
      ...(await deps.notifications.rules()),
      ...(await deps.deliveries.rules()),
      ...(await deps.reminders.rules()),
    ]),
  ];
  for (let from = 0; from < stored.length; from += rulesAtOnce) {
    const some = stored.slice(from, from + rulesAtOnce);
    const existing = await deps.rules.existing(some);
    for (const rule_id of some.filter((id) => !existing.has(id))) {
      await deps.deliveries.drop({ rule_id });
      await deps.reminders.drop({ rule_id });
      while (await deps.notifications.drop({ rule_id }));
      dropped++;
    }
  }
  for (const project_id of await deps.notifications.projects()) {
    const services = await deps.notifications.services(project_id);
    const existing = new Set(
      (await projectServiceStates(deps.request, project_id)).states.map(
        ({ service_id }) => service_id,
      ),
    );
    // No service at all may mean that the reconciler's database is being restored. Data of a
    // deleted project are deleted with the project.
    if (existing.size === 0) continue;
    for (const service_id of services.filter((id) => !existing.has(id))) {
      while (await deps.notifications.drop({ project_id, service_id }));
      dropped++;
    }
  }
  return dropped;
}
