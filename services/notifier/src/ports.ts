import type { AlertChannel, NamedAlertRule, ProjectScope } from '@bomtrail/messages';
import type { AlertRuleDocument } from './store/documents';

/** What is read of alert rules. */
export interface AlertRuleReads {
  exists(named: NamedAlertRule): Promise<boolean>;
  /** Returns the existing ones of these rules. */
  existing(ruleIds: readonly string[]): Promise<Set<string>>;
  /** The rule with its config, or null. */
  find(named: NamedAlertRule): Promise<AlertRuleDocument | null>;
  /** Newest first, ties by id. */
  list(
    within: ProjectScope | undefined,
    page: { skip: number; limit: number },
  ): Promise<{ items: Omit<AlertRuleDocument, 'config'>[]; total: number }>;
  /** A page of enabled rule ids after `after`, ascending. */
  enabled(after: string, limit: number): Promise<string[]>;
  /** Enabled rules with a planned retry, earliest first, without those of `leaveOut`. */
  awaitingAttempt(
    leaveOut: readonly string[],
    limit: number,
  ): Promise<{ ruleId: string; at: Date }[]>;
  /** Time of the oldest undelivered alert of enabled rules, by channel. */
  oldestUndelivered(): Promise<Map<AlertChannel, Date>>;
}

/** What changes alert rules. */
export interface AlertRuleWrites {
  /** `gone`: the project was deleted; `full`: it has `max` rules or more. */
  insert(rule: AlertRuleDocument, max: number): Promise<'done' | 'gone' | 'full'>;
  /**
   * Changes a rule. If a value changed, undelivered alerts are retried at once. `missing`: unknown
   * rule; `gone`: the new project was deleted; `full`: that project has `max` other rules or more.
   */
  update(
    named: NamedAlertRule,
    changes: Partial<Omit<AlertRuleDocument, 'retry_state' | 'records'>>,
    max: number,
  ): Promise<'done' | 'missing' | 'gone' | 'full'>;
  /**
   * Returns the rule to one caller per `everyMs`, over all processes, by the database's clock.
   * `early`: the last test was too recent.
   */
  claimTest(
    named: NamedAlertRule,
    everyMs: number,
  ): Promise<AlertRuleDocument | 'early' | 'missing'>;
  /** False if the rule does not exist or another call deleted it. */
  delete(named: NamedAlertRule): Promise<boolean>;
  /** Deletes the rules of a deleted project and prevents new ones. Idempotent. */
  deleteOfProject(projectId: string, now: Date): Promise<void>;
}

export type AlertRuleStore = AlertRuleReads & AlertRuleWrites;
