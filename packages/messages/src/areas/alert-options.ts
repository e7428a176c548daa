import type { Severity } from './fields';

export const weekdayNames = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdayNames)[number];

/** Times of day, `HH:MM`, in which a rule sends nothing. */
export interface QuietHours {
  from: string;
  /** Before `from`: on the next day. */
  to: string;
  /** IANA name. */
  time_zone: string;
  /** Saturday and Sunday are quiet, too. */
  weekends: boolean;
}

/** When a rule sends one message instead of one per check. */
export interface AlertDigest {
  every: 'day' | 'week';
  /** `HH:MM`. */
  at: string;
  /** Of a weekly digest. */
  weekday: Weekday;
  /** IANA name. */
  time_zone: string;
}

/** What limits a rule, when it sends, and what else it tells (docs/rules.md AL9 to AL13). */
export interface AlertOptions {
  /** Only services with this owner; null: any. */
  owner: string | null;
  /** Only services with one of these labels; empty: any. */
  labels: string[];
  quiet_hours: QuietHours | null;
  digest: AlertDigest | null;
  /** So many days before decisions, keys and service levels run out; null: no reminders. */
  reminder_days: number | null;
  /** Also tells of stale feeds and sources, and with reminders of keys that belong to no project. */
  installation: boolean;
}

export const reminderKinds = [
  'decision',
  'bulk_decision',
  'decision_rule',
  'service_level',
  'api_key',
  'feed',
  'risk_feed',
  'vex_source',
] as const;
export type ReminderKind = (typeof reminderKinds)[number];

/** Something that runs out soon, or has done so. */
export interface AlertReminder {
  kind: ReminderKind;
  /** When it runs out; of a feed, since when its data is not confirmed. */
  at: string;
  /** A vulnerability, the name of a rule, key or feed, the reason of a bulk decision, a source; free text. */
  subject: string;
  /** More about it: package, service; free text, may be empty. */
  about: string;
  /** Of service levels. */
  severity: Severity | null;
}
