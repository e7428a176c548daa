import type {
  AlertChannel,
  AlertCounts,
  AlertOptions,
  AlertReasons,
  AlertThreshold,
  ReminderKind,
  Severity,
} from '@bomtrail/messages';
import type { RetryState } from '../domain/retry-state';

/** The reasons are those of `config`. */
export interface AlertRuleDocument extends AlertReasons {
  _id: string;
  project_id: string;
  severity_threshold: AlertThreshold;
  notification_type: AlertChannel;
  /**
   * JSON text, because clients choose the field names and MongoDB interprets some. Contains
   * secrets.
   */
  config: string;
  /** Those of `config`; absent: of an earlier version, none. */
  options?: AlertOptions;
  /** The last digest that was sent, or had nothing to say. */
  digested_to?: Date;
  enabled: boolean;
  created_at: Date;
  updated_at: Date | null;
  /** Present while alerts are undelivered. A change of the rule triggers an immediate retry. */
  retry_state?: RetryState;
  /** Time of the last test. */
  tested_at?: Date;
  /** Increased with every stored outcome, so that it conflicts with a concurrent delete. */
  records?: number;
}

/** An alert period that a rule reported, or gave up: it is no longer new to the rule. */
export interface NotificationDocument {
  /** See `notificationKey`. */
  _id: string;
  rule_id: string;
  project_id: string;
  service_id: string;
  vulnerability_id: string;
  severity: Severity;
  outcome: 'notified' | 'given_up';
  /** The delivery. */
  delivery_id: string;
  at: Date;
}

/**
 * Up to this version of a service state and these risk values, nothing that the rule had a reason
 * to report is new to it.
 */
export interface MarkDocument {
  /** `<rule>:<service>` */
  _id: string;
  rule_id: string;
  project_id: string;
  service_id: string;
  /** See `reasonsKey`. */
  reasons: string;
  version: number;
  /** See `riskKey`. */
  risk: string;
}

/** A delivery attempt. Contains no secrets. */
export interface DeliveryDocument {
  _id: string;
  rule_id: string;
  project_id: string;
  at: Date;
  channel: AlertChannel;
  outcome: 'sent' | 'failed' | 'given_up';
  kind: 'alert' | 'test';
  reason: string | null;
  total: number;
  counts: AlertCounts;
  /** What it reminded of; absent: nothing. */
  reminders?: number;
  next_attempt_at: Date | null;
}

/** What a rule reminded of, or gave up: it does not remind of it again. */
export interface ReminderDocument {
  /** `<rule>:<kind>:…`, see `domain/reminders.ts`. */
  _id: string;
  rule_id: string;
  project_id: string;
  kind: ReminderKind;
  outcome: 'notified' | 'given_up';
  delivery_id: string;
  at: Date;
}
