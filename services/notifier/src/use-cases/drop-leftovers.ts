import type { Request } from '@bomtrail/service-kit';
import type { AlertRuleStore } from '../store/alert-rule-store';
import type { DeliveryStore } from '../store/delivery-store';
import type { NotificationStore } from '../store/notification-store';
import { projectServiceStates } from './project-service-states';

export interface DropLeftoversDeps {
  rules: Pick<AlertRuleStore, 'existing'>;
  notifications: Pick<NotificationStore, 'projects' | 'services' | 'rules' | 'drop'>;
  deliveries: Pick<DeliveryStore, 'rules' | 'drop'>;
  request: Request;
}

/** Rules that one question to the database names. */
const rulesAtOnce = 1_000;

/**
 * Drops what was kept of rules and version lines that are no more. What is kept is looked at first: a line that
 * appears meanwhile is then in the reconciler's answer, and its facts stay.
 *
 * @returns how many rules and lines were dropped
 * @throws AppError of the reconciler: nothing is dropped on a guess
 */
export async function dropLeftovers(deps: DropLeftoversDeps): Promise<number> {
  let dropped = 0;
  const kept = [
    ...new Set([...(await deps.notifications.rules()), ...(await deps.deliveries.rules())]),
  ];
  for (let from = 0; from < kept.length; from += rulesAtOnce) {
    const some = kept.slice(from, from + rulesAtOnce);
    const there = await deps.rules.existing(some);
    for (const rule_id of some.filter((id) => !there.has(id))) {
      await deps.deliveries.drop({ rule_id });
      while (await deps.notifications.drop({ rule_id }));
      dropped++;
    }
  }
  for (const project_id of await deps.notifications.projects()) {
    const services = await deps.notifications.services(project_id);
    const living = new Set(
      (await projectServiceStates(deps.request, project_id)).map(({ service_id }) => service_id),
    );
    // No line at all: as likely a reconciler whose database is being restored. These facts go with their project.
    if (living.size === 0) continue;
    for (const service_id of services.filter((id) => !living.has(id))) {
      while (await deps.notifications.drop({ project_id, service_id }));
      dropped++;
    }
  }
  return dropped;
}
