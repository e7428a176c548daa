import { z } from 'zod';
import { rpc } from '../define';
import { id, page, type PageOf, type Severity } from './fields';

export const alertThresholds = ['critical', 'high', 'medium', 'low'] as const;
export const alertChannels = ['email', 'slack', 'discord'] as const;

export type AlertThreshold = (typeof alertThresholds)[number];
export type AlertChannel = (typeof alertChannels)[number];

/** The contract's AlertRuleResponse. `config` holds secrets and is in no answer. */
export interface AlertRuleView {
  id: string;
  project_id: string;
  severity_threshold: AlertThreshold;
  notification_type: AlertChannel;
  enabled: boolean;
  created_at: string;
}

const ruleFields = z.object({
  project_id: id,
  severity_threshold: z.enum(alertThresholds),
  notification_type: z.enum(alertChannels),
  /** Free; what is known of it (`webhook_url`, `recipients`) was checked at the door. */
  config: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
});

/** What a rule consists of when it is made. */
export type NewAlertRule = z.infer<typeof ruleFields>;

/** A rule as a caller names it: with `of_project` it exists only while it belongs to that project. */
const namedRule = z.object({ alert_id: id, of_project: id.nullable() });
export type NamedAlertRule = z.infer<typeof namedRule>;

/** Fails with `project_not_found`, and with `too_many_alert_rules` where the project has as many as it may have. */
export const createAlertRule = rpc<AlertRuleView>()({
  service: 'notifier',
  name: 'create-alert-rule.v1',
  request: ruleFields,
});

/** A field that is absent stays as it is. Fails with `alert_rule_not_found`, `project_not_found`, `too_many_alert_rules`. */
export const updateAlertRule = rpc<{ updated: true }>()({
  service: 'notifier',
  name: 'update-alert-rule.v1',
  request: namedRule.extend({ changes: ruleFields.partial() }),
});

/** Of parallel deletes one succeeds, the others fail with `alert_rule_not_found`. */
export const deleteAlertRule = rpc<{ deleted: true }>()({
  service: 'notifier',
  name: 'delete-alert-rule.v1',
  request: namedRule,
});

/** Newest first, ties by id. */
export const listAlertRules = rpc<PageOf<AlertRuleView>>()({
  service: 'notifier',
  name: 'list-alert-rules.v1',
  request: page.extend({ project_id: id.optional() }),
});

/** Counts of what a message tells of. */
export type AlertCounts = Partial<Record<Severity, number>>;

/** An attempt to tell something, as `GET /alert-rules/{id}/deliveries` shows it: nothing in it is secret. */
export interface DeliveryView {
  id: string;
  at: string;
  channel: AlertChannel;
  /** `failed`: an alert is tried again; `given_up`: it is not, after a day of failures. */
  outcome: 'sent' | 'failed' | 'given_up';
  /** `test`: a sample that was asked for. */
  kind: 'alert' | 'test';
  /** One sentence: why it was not sent, or what was wrong although it was; null: nothing. */
  reason: string | null;
  total: number;
  counts: AlertCounts;
  /** When it is tried again; null: it is not. */
  next_attempt_at: string | null;
}

/** What a rule would tell now. */
export interface AlertPreview {
  /** Whether the channel has what it needs to send; if not, why. */
  can_send: boolean;
  reason: string | null;
  total: number;
  counts: AlertCounts;
  /** The ones that the message would name. */
  top: AlertItem[];
  /** The text of the message as people would read it; null when there is nothing to tell. */
  text: string | null;
}

/** A vulnerability as a message names it. */
export interface AlertItem {
  vulnerability_id: string;
  severity: Severity;
  cvss_score: number | null;
  cve_id: string;
  title: string;
  package_name: string;
  package_version: string;
  fixed_versions: string[];
  service_name: string;
}

/** Newest first. Fails with `alert_rule_not_found`. */
export const listDeliveries = rpc<PageOf<DeliveryView>>()({
  service: 'notifier',
  name: 'list-deliveries.v1',
  request: namedRule.extend(page.shape),
});

/** Fails with `alert_rule_not_found`. */
export const previewAlertRule = rpc<AlertPreview>()({
  service: 'notifier',
  name: 'preview-alert-rule.v1',
  request: namedRule,
  timeoutMs: 30_000,
});

/** A rule is tested once in so many seconds: enough for a person who corrects a setting, too few to flood anyone. */
export const secondsBetweenTests = 10;

/**
 * Sends a sample through the rule's channel and says what came of it. Fails with `alert_rule_not_found`,
 * and with `rate_limited`, which says when to repeat it, where the last test is less than `secondsBetweenTests` ago or
 * the API key, the project or a receiver has used up its tests of this hour.
 */
export const testAlertRule = rpc<DeliveryView>()({
  service: 'notifier',
  name: 'test-alert-rule.v1',
  /** `key_id`: of the API key that asked; releases before it was added do not send it. */
  request: namedRule.extend({ key_id: z.string().min(1).max(100).optional() }),
  timeoutMs: 30_000,
});
