import {
  AppError,
  pageWindow,
  type DeliveryView,
  type NamedAlertRule,
  type PageOf,
} from '@bomtrail/messages';
import type { AlertRuleStore } from '../ports';
import type { DeliveryStore } from '../store/delivery-store';
import type { DeliveryDocument } from '../store/documents';

export interface ListDeliveriesDeps {
  rules: Pick<AlertRuleStore, 'exists'>;
  deliveries: Pick<DeliveryStore, 'list'>;
}

/**
 * Delivery attempts of a rule, newest first.
 *
 * @throws AppError `alert_rule_not_found`
 */
export async function listDeliveries(
  deps: ListDeliveriesDeps,
  query: NamedAlertRule & { page: number; per_page: number },
): Promise<PageOf<DeliveryView>> {
  if (!(await deps.rules.exists(query))) throw new AppError('alert_rule_not_found');
  const { items, total } = await deps.deliveries.list(query, pageWindow(query));
  return { items: items.map(deliveryView), total };
}

/** A delivery for other services. */
export function deliveryView(delivery: DeliveryDocument): DeliveryView {
  const { channel, outcome, kind, reason, total, counts } = delivery;
  return {
    id: delivery._id,
    at: delivery.at.toISOString(),
    channel,
    outcome,
    kind,
    reason,
    total,
    counts,
    reminders: delivery.reminders ?? 0,
    next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
  };
}
