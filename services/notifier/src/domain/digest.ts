import type { AlertChannel, AlertCounts, AlertItem, AlertThreshold } from '@bomtrail/messages';

/** Vulnerabilities that a message names; the others are counted. */
export const namedInDigest = 10;

/**
 * What one message tells: all that is new to one rule at one check (docs/rules.md AL3). Its texts come from SBOMs and advisories and may hold anything.
 */
export interface Digest {
  kind: 'alert' | 'test';
  rule: { id: string; threshold: AlertThreshold; channel: AlertChannel };
  project: { id: string; name: string };
  /** ISO 8601. */
  at: string;
  total: number;
  counts: AlertCounts;
  /** The most severe ones, at most `namedInDigest`. */
  top: readonly AlertItem[];
  /** Names what is told: the same for each attempt to tell the same episodes, and never for others. Without it: `at`. */
  key?: string;
  /** Where people read the rest; null without `PUBLIC_URL`. */
  link: string | null;
}
