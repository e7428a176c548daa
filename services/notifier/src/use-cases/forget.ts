import type { NamedAlertRule } from '@bomtrail/messages';
import type { AlertRuleStore } from '../store/alert-rule-store';
import type { DeliveryStore } from '../store/delivery-store';
import type { ToldStore } from '../store/told-store';

export interface ForgetDeps {
  rules: Pick<AlertRuleStore, 'delete' | 'forget'>;
  told: Pick<ToldStore, 'drop'>;
  deliveries: Pick<DeliveryStore, 'drop'>;
}

/**
 * Deletes a rule and what it has told. A process that is about to store more of it finds no rule any more
 * (see the record store). False when there is no such rule, or another call deleted it.
 */
export async function deleteAlertRule(deps: ForgetDeps, named: NamedAlertRule): Promise<boolean> {
  if (!(await deps.rules.delete(named))) return false;
  const of = { rule_id: named.alert_id };
  await deps.deliveries.drop(of);
  // What a crash leaves here is found by the sweep.
  while (await deps.told.drop(of));
  return true;
}

/**
 * Removes what is kept of a deleted project, a bounded part, and lets none come again; also what a rule told of it
 * that has another project now.
 */
export async function deleteProjectData(
  deps: ForgetDeps,
  projectId: string,
): Promise<{ more: boolean }> {
  await deps.rules.forget(projectId, new Date());
  await deps.deliveries.drop({ project_id: projectId });
  return { more: await deps.told.drop({ project_id: projectId }) };
}
