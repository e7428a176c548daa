import { createHash } from 'node:crypto';
import type { AlertPeriodView } from '@bomtrail/messages';

/** The name of the fact that a rule told an episode: unique for rule, vulnerability and episode. */
export function toldKey(ruleId: string, vulnerabilityId: string, alertPeriod: string): string {
  return `${ruleId}:${vulnerabilityId}:${alertPeriod}`;
}

/**
 * The facts of which any one says that the rule told this episode: of the episode itself, or of one of a higher
 * threshold within it, which the rule told while it had that threshold.
 */
export function tellingKeys(
  ruleId: string,
  alertPeriod: Pick<AlertPeriodView, 'vulnerability_id' | 'alertPeriod' | 'notified_by'>,
): string[] {
  return [...new Set([alertPeriod.alertPeriod, ...alertPeriod.notified_by])].map((moment) =>
    toldKey(ruleId, alertPeriod.vulnerability_id, moment),
  );
}

/** Names a set of facts: the same in whatever order they come, another one for other facts. */
export function nameOfFacts(keys: readonly string[]): string {
  return createHash('sha256')
    .update([...keys].sort().join('\n'))
    .digest('hex')
    .slice(0, 32);
}
