import type { AlertChannel, AlertCounts, AlertThreshold, Severity } from '@bomtrail/messages';
import type { RetryState } from '../domain/retry-state';

export interface AlertRuleDocument {
  _id: string;
  project_id: string;
  severity_threshold: AlertThreshold;
  notification_type: AlertChannel;
  /** JSON text: the client chooses the names in it, and some names mean something to MongoDB. Holds secrets. */
  config: string;
  enabled: boolean;
  created_at: Date;
  updated_at: Date | null;
  /** There while something new could not be told. After any change of the rule it is tried again at once. */
  retry_state?: RetryState;
  /** When a test was last sent. */
  tested_at?: Date;
  /** Grows with each record of what was told, so that this and a delete cannot pass each other unseen. */
  records?: number;
}

/** An episode that a rule told, or gave up telling: it is not new to the rule any more. */
export interface NotificationDocument {
  /** See `notificationKey`. */
  _id: string;
  rule_id: string;
  project_id: string;
  service_id: string;
  vulnerability_id: string;
  severity: Severity;
  outcome: 'notified' | 'given_up';
  /** The message. */
  delivery_id: string;
  at: Date;
}

/** Up to this version of a line's ledger nothing at or above the threshold is new to the rule. */
export interface MarkDocument {
  /** `<rule>:<service>` */
  _id: string;
  rule_id: string;
  project_id: string;
  service_id: string;
  threshold: AlertThreshold;
  version: number;
}

/** An attempt to tell something. Nothing in it is secret. */
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
  next_attempt_at: Date | null;
}
