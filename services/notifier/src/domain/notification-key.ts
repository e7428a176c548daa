import { createHash } from 'node:crypto';
import type { AlertPeriodView } from '@bomtrail/messages';

/** Key of a notification: unique per rule, vulnerability and alert period. */
export function notificationKey(
  ruleId: string,
  vulnerabilityId: string,
  periodStart: string,
): string {
  return `${ruleId}:${vulnerabilityId}:${periodStart}`;
}

/**
 * Keys that show that the rule notified of this alert period: of the period itself, or of a higher
 * threshold within it, from the time when the rule had that threshold.
 */
export function notificationKeys(
  ruleId: string,
  period: Pick<AlertPeriodView, 'vulnerability_id' | 'period_start' | 'notified_by'>,
): string[] {
  return [...new Set([period.period_start, ...period.notified_by])].map((start) =>
    notificationKey(ruleId, period.vulnerability_id, start),
  );
}

/** Hash of a set of notification keys, independent of their order. */
export function digestKeyOf(keys: readonly string[]): string {
  return createHash('sha256')
    .update([...keys].sort().join('\n'))
    .digest('hex')
    .slice(0, 32);
}
