import type {
  AlertChannel,
  AlertCounts,
  AlertItem,
  AlertReasons,
  AlertReminder,
  AlertThreshold,
} from '@bomtrail/messages';

/** Vulnerabilities named in a message; the others are only counted. */
export const namedInDigest = 10;
/** Reminders named in a message; the others are only counted. */
export const namedReminders = 10;

/**
 * Content of one message: everything new to a rule at one check (docs/rules.md AL3). Texts come
 * from SBOMs and advisories and are untrusted.
 */
export interface Digest {
  kind: 'alert' | 'test';
  rule: { id: string; threshold: AlertThreshold; channel: AlertChannel } & AlertReasons;
  project: { id: string; name: string };
  /** ISO 8601. */
  at: string;
  total: number;
  counts: AlertCounts;
  /** Known exploited ones first, then the most severe, at most `namedInDigest`. */
  top: readonly AlertItem[];
  /** What runs out first, at most `namedReminders`; absent: nothing. */
  reminders?: { total: number; first: readonly AlertReminder[] };
  /** Identifies the content: equal for every attempt with the same alert periods. Default: `at`. */
  key?: string;
  /** Link to the full list; null without `PUBLIC_URL`. */
  link: string | null;
}
