import { AppError, checkScope, type NamedAlertRule, type NewAlertRule } from '@bomtrail/messages';
import { optionsOf } from '../domain/alert-options';
import { reasonsOf } from '../domain/alert-reasons';
import { tooManyRules, type AlertRuleDeps } from './create-alert-rule';

function configFields(config: NewAlertRule['config']) {
  const options = optionsOf(config);
  return { config: JSON.stringify(config), ...reasonsOf(config), options };
}

/**
 * Changes the given fields; without any, does nothing. A new `config` replaces the whole old one.
 *
 * @throws AppError `alert_rule_not_found`, `project_not_found`, `too_many_alert_rules`
 */
export async function updateAlertRule(
  deps: AlertRuleDeps,
  input: NamedAlertRule & { changes: Partial<NewAlertRule> },
): Promise<void> {
  const { changes, ...named } = input;
  if (!(await deps.rules.exists(named))) throw new AppError('alert_rule_not_found');
  if (Object.keys(changes).length === 0) return;
  const { project_id, config, ...rest } = changes;
  if (project_id !== undefined) await deps.request(checkScope, { project_id, service_id: null });
  const changed = {
    ...rest,
    ...(project_id === undefined ? {} : { project_id }),
    ...(config === undefined ? {} : configFields(config)),
    updated_at: new Date(),
  };
  const update = () => deps.rules.update(named, changed, deps.rulesPerProject);
  const outcome = await (project_id === undefined ? update() : deps.withKey(project_id, update));
  if (outcome === 'gone') throw new AppError('project_not_found');
  if (outcome === 'full') throw tooManyRules(deps);
  if (outcome === 'missing') throw new AppError('alert_rule_not_found');
}
