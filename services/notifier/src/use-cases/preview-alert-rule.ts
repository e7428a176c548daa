import {
  AppError,
  type AlertChannel,
  type AlertPreview,
  type NamedAlertRule,
} from '@bomtrail/messages';
import type { Channel } from '../channels/channel';
import type { AlertRuleStore } from '../ports';
import { configOf } from './config-of';
import { gatherAll, type GatherAllDeps } from './gather-all';
import { makeDigest, type DigestDeps } from './make-digest';
import { ofExistingProject } from './of-existing-project';
import { projectServiceStates } from './project-service-states';

export type PreviewDeps = GatherAllDeps &
  DigestDeps & {
    rules: Pick<AlertRuleStore, 'find'>;
    channels: Readonly<Record<AlertChannel, Channel>>;
    /** Clock. */
    now: () => Date;
  };

/**
 * The message that a rule, enabled or not, would send now. Sends and stores nothing.
 *
 * @throws AppError `alert_rule_not_found`, `service_unavailable`
 */
export async function previewAlertRule(
  deps: PreviewDeps,
  named: NamedAlertRule,
): Promise<AlertPreview> {
  const rule = await deps.rules.find(named);
  if (rule === null) throw new AppError('alert_rule_not_found');
  const channel = deps.channels[rule.notification_type];
  const target = channel.targetOf({ id: rule._id, config: configOf(rule) });
  const channelState =
    'unconfigured' in target
      ? { can_send: false, reason: target.unconfigured }
      : { can_send: true, reason: null };
  const project = await projectServiceStates(deps.request, rule.project_id);
  const at = { project, now: deps.now(), withReminders: true };
  const { alertPeriods, counts, top, reminders, services } = await gatherAll(deps, rule, at);
  const total = alertPeriods.length;
  const about = { ...channelState, total, counts, services };
  if (total + reminders.length === 0) return { ...about, top: [], reminders: [], text: null };
  const digest = await ofExistingProject(
    makeDigest(deps, rule, { total, counts, top, reminders, now: deps.now() }),
  );
  return {
    ...about,
    top: [...digest.top],
    reminders: [...(digest.reminders?.first ?? [])],
    text: channel.preview(digest),
  };
}
