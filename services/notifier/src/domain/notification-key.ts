import { createHash } from 'node:crypto';
import type { AlertPeriodView } from '@bomtrail/messages';

/** The name of the fact that a rule told an episode: unique for rule, vulnerability and episode. */
export function notificationKey(
  ruleId: string,
  vulnerabilityId: string,
  periodStart: string,
): string {
  return `${ruleId}:${vulnerabilityId}:${periodStart}`;
}

/**
 * The facts of which any one says that the rule told this episode: of the episode itself, or of one of a higher
 * threshold within it, which the rule told while it had that threshold.
 */
export function notificationKeys(
  ruleId: string,
  period: Pick<AlertPeriodView, 'vulnerability_id' | 'period_start' | 'notified_by'>,
): string[] {
  return [...new Set([period.period_start, ...period.notified_by])].map((start) =>
    notificationKey(ruleId, period.vulnerability_id, start),
  );
}

/** Names a set of facts: the same in whatever order they come, another one for other facts. */
export function digestKeyOf(keys: readonly string[]): string {
  return createHash('sha256')
    .update([...keys].sort().join('\n'))
    .digest('hex')
    .slice(0, 32);
}
