import type { Schemas } from '../../api/client';
import type { Rule } from './alerts-queries';
import { isSameOption, optionConfig, optionsOf, type Options } from './rule-options';

/** Why a rule tells of a finding, beside or instead of its severity. */
export interface Reasons {
  by_severity: boolean;
  kev: boolean;
  /** A share of 0 to 1; empty: the score is no reason. */
  min_epss: string;
}

export function reasonsOf(rule: Rule | undefined): Reasons {
  const { by_severity = true, kev = false, min_epss = null } = rule ?? {};
  return { by_severity, kev, min_epss: min_epss === null ? '' : String(min_epss) };
}

/** A rule needs one reason at least. */
export function hasReason({ by_severity, kev, min_epss }: Reasons): boolean {
  return by_severity || kev || min_epss !== '';
}

export function isSameReason(one: Reasons, other: Reasons): boolean {
  const { by_severity, kev, min_epss } = one;
  return by_severity === other.by_severity && kev === other.kev && min_epss === other.min_epss;
}

/**
 * The `config` to send. A change replaces it as a whole, and the stored receiver is in no answer: undefined keeps
 * all of it.
 */
export function configOf(
  rule: Rule | undefined,
  given: {
    channel: Schemas['NotificationType'];
    receiver: string;
    /** Key of the signatures of a webhook. */
    secret: string;
    reasons: Reasons;
    options?: Options;
  },
) {
  const { channel, receiver, secret, reasons } = given;
  const { options = optionsOf(rule, 'UTC') } = given;
  const words = receiver.split(/[\s,;]+/).filter(Boolean);
  const [first] = words;
  if (!first && keepsReceiver(rule, { channel, reasons, options })) return undefined;
  const signed = channel === 'webhook' && secret.trim() ? { webhook_secret: secret.trim() } : {};
  const { by_severity, kev, min_epss } = reasons;
  return {
    ...(first ? receiverOf(channel, words) : {}),
    ...(first ? signed : {}),
    ...(by_severity ? {} : { by_severity }),
    ...(kev ? { kev } : {}),
    ...(min_epss === '' ? {} : { min_epss: Number(min_epss) }),
    ...optionConfig(options),
  };
}

/**
 * Whether a change leaves the stored configuration, and with it the receiver, as it is. A receiver belongs to its
 * channel: a webhook of Slack is none of Teams.
 */
export function keepsReceiver(
  rule: Rule | undefined,
  {
    channel,
    reasons,
    options,
  }: { channel: Schemas['NotificationType']; reasons: Reasons; options: Options },
): boolean {
  return (
    rule?.notification_type === channel &&
    isSameReason(reasons, reasonsOf(rule)) &&
    isSameOption(options, optionsOf(rule, 'UTC'))
  );
}

/** What answers say of the stored `config`, and the channel that its receiver belongs to. */
export const ofConfig = [
  'notification_type',
  'by_severity',
  'kev',
  'min_epss',
  'options',
] as const satisfies readonly (keyof Rule)[];

/** What to send of a changed rule: what was not touched may have been changed elsewhere. A receiver belongs to its channel. */
export function changesOf(
  rule: Rule,
  {
    config,
    ...given
  }: Pick<Rule, 'project_id' | 'severity_threshold' | 'notification_type'> & {
    config: ReturnType<typeof configOf>;
  },
) {
  const { project_id, severity_threshold, notification_type } = given;
  return {
    ...(project_id === rule.project_id ? {} : { project_id }),
    ...(severity_threshold === rule.severity_threshold ? {} : { severity_threshold }),
    ...(notification_type === rule.notification_type && !config ? {} : { notification_type }),
    ...(config && { config }),
  };
}

function receiverOf(channel: Schemas['NotificationType'], words: string[]) {
  if (channel === 'email') return { recipients: words };
  return channel === 'pagerduty' ? { routing_key: words[0] } : { webhook_url: words[0] };
}
