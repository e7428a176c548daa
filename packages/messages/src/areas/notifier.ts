import { z } from 'zod';
import { rpc } from '../define';
import type { AlertOptions, AlertReminder } from './alert-options';
import { id, page, projectScope, type PageOf, type Severity } from './fields';
import type { KevEntry, ReportingDeadlines } from './risk';

export const alertThresholds = ['critical', 'high', 'medium', 'low'] as const;
export const alertChannels = [
  'email',
  'slack',
  'discord',
  'teams',
  'webhook',
  'pagerduty',
] as const;

export type AlertThreshold = (typeof alertThresholds)[number];
export type AlertChannel = (typeof alertChannels)[number];

/** Which vulnerabilities a rule reports; any of the reasons is enough (docs/rules.md AL5). */
export interface AlertReasons {
  /** Those at or above its threshold. */
  by_severity: boolean;
  /** Those that are known to be exploited. */
  kev: boolean;
  /** Those with at least this EPSS score, 0 to 1; null: no reason. */
  min_epss: number | null;
}

/** The contract's AlertRuleResponse. `config` contains secrets and is in no response. */
export interface AlertRuleView extends AlertReasons {
  id: string;
  project_id: string;
  severity_threshold: AlertThreshold;
  notification_type: AlertChannel;
  enabled: boolean;
  created_at: string;
  options: AlertOptions;
}

const ruleFields = z.object({
  project_id: id,
  severity_threshold: z.enum(alertThresholds),
  notification_type: z.enum(alertChannels),
  /**
   * Any properties; the gateway has validated `webhook_url`, `webhook_secret`, `routing_key`, `recipients`, and the reasons
   * `by_severity`, `kev` and `min_epss`, and the options (`AlertOptions`).
   */
  config: z.record(z.string(), z.unknown()),
  enabled: z.boolean(),
});

/** Fields of a new rule. */
export type NewAlertRule = z.infer<typeof ruleFields>;

/** Identifies a rule. `of_project`: the only projects that exist for the caller; null: all. */
const namedRule = z.object({ alert_id: id, of_project: projectScope.nullable() });
export type NamedAlertRule = z.infer<typeof namedRule>;

/** Fails with `project_not_found` or `too_many_alert_rules`. */
export const createAlertRule = rpc<AlertRuleView>()({
  service: 'notifier',
  callers: ['gateway'],
  name: 'create-alert-rule.v1',
  request: ruleFields,
});

/**
 * Absent fields stay unchanged. Fails with `alert_rule_not_found`, `project_not_found`,
 * `too_many_alert_rules`.
 */
export const updateAlertRule = rpc<{ updated: true }>()({
  service: 'notifier',
  callers: ['gateway'],
  name: 'update-alert-rule.v1',
  request: namedRule.extend({ changes: ruleFields.partial() }),
});

/** Of parallel deletes one succeeds; the others fail with `alert_rule_not_found`. */
export const deleteAlertRule = rpc<{ deleted: true }>()({
  service: 'notifier',
  callers: ['gateway'],
  name: 'delete-alert-rule.v1',
  request: namedRule,
});

/** Newest first, ties by id. `alert_id`: only this one; earlier releases ignore it. */
export const listAlertRules = rpc<PageOf<AlertRuleView>>()({
  service: 'notifier',
  callers: ['gateway'],
  name: 'list-alert-rules.v1',
  request: page.extend({ project_id: projectScope.optional(), alert_id: id.optional() }),
});

/** Count of the vulnerabilities of a message by severity. */
export type AlertCounts = Partial<Record<Severity, number>>;

/** A delivery attempt, as in `GET /alert-rules/{id}/deliveries`. Contains no secrets. */
export interface DeliveryView {
  id: string;
  at: string;
  channel: AlertChannel;
  /** `failed`: an alert is retried; `given_up`: it is not, after a day of failures. */
  outcome: 'sent' | 'failed' | 'given_up';
  /** `test`: a requested test message. */
  kind: 'alert' | 'test';
  /** One sentence: why it was not sent, or a problem although it was sent; null: none. */
  reason: string | null;
  total: number;
  counts: AlertCounts;
  /** What the message reminded of. */
  reminders: number;
  /** Time of the next attempt; null: none. */
  next_attempt_at: string | null;
}

/** The next message of a rule. */
export interface AlertPreview {
  /** Whether the channel is configured; if not, `reason` states why. */
  can_send: boolean;
  reason: string | null;
  total: number;
  counts: AlertCounts;
  /** Vulnerabilities that the message names. */
  top: AlertItem[];
  /** What the message reminds of. */
  reminders: AlertReminder[];
  /** Text of the message; null if there is nothing to report. */
  text: string | null;
  /** Number of services that the owner and labels of the rule name now; null: it names neither. */
  services: number | null;
}

/** A vulnerability in a message. */
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
  /** Entry of the catalog of known exploited vulnerabilities; null: none. */
  kev: KevEntry | null;
  epss_score: number | null;
  /** Of a project that ships products; null: none. */
  reporting_deadlines: ReportingDeadlines | null;
}

/** Newest first. Fails with `alert_rule_not_found`. */
export const listDeliveries = rpc<PageOf<DeliveryView>>()({
  service: 'notifier',
  callers: ['gateway'],
  name: 'list-deliveries.v1',
  request: namedRule.extend(page.shape),
});

/** Fails with `alert_rule_not_found`. */
export const previewAlertRule = rpc<AlertPreview>()({
  service: 'notifier',
  callers: ['gateway'],
  name: 'preview-alert-rule.v1',
  request: namedRule,
  timeoutMs: 30_000,
});

/**
 * Minimum seconds between two tests of a rule: short enough to correct a setting, long enough to
 * prevent flooding.
 */
export const secondsBetweenTests = 10;

/**
 * Sends a test message through the channel of the rule and returns the outcome. Fails with
 * `alert_rule_not_found`, and with `rate_limited` (including the time to wait) if the last test was
 * less than `secondsBetweenTests` ago or the API key, the project or a receiver has used up its
 * tests of this hour.
 */
export const testAlertRule = rpc<DeliveryView>()({
  service: 'notifier',
  callers: ['gateway'],
  name: 'test-alert-rule.v1',
  /** `key_id`: the calling API key. */
  request: namedRule.extend({ key_id: z.string().min(1).max(100).optional() }),
  timeoutMs: 30_000,
});
