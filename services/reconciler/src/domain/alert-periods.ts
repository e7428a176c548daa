import type { AlertThreshold, Severity } from '@bomtrail/messages';
import type { AlertPeriods, TrackedVulnerability } from './types';

/** From the lowest: what is at or above one is at or above those before it. */
const upwards: readonly AlertThreshold[] = ['low', 'medium', 'high', 'critical'];

/** `unknown` is told with what is low (docs/rules.md AL2); `none` is below every threshold. */
const levels: Record<Severity, number> = {
  critical: 4,
  high: 3,
  medium: 2,
  low: 1,
  unknown: 1,
  none: 0,
};

/** What the rules of episodes look at in a row. */
export type AlertPeriodFacts = Pick<
  TrackedVulnerability,
  'status' | 'snapshot' | 'first_seen_at' | 'alert_periods'
>;

/** The severities at or above a threshold. */
export function severitiesFrom(threshold: AlertThreshold): Severity[] {
  const severities = Object.keys(levels) as Severity[];
  return severities.filter((severity) => reaches(severity, threshold));
}

/**
 * The episodes of a row that is written, from those of the row that it replaces.
 *
 * - E1 A stretch of a threshold begins when the row becomes listed (open, not accepted) at or above it
 *   and was not before.
 * - E2 It lasts as long as the row is listed. Where the severity falls below the threshold its moment
 *   stays, so that whoever was told of it is known to know the row; rising again, it begins anew.
 * - E3 With a stretch that begins, those of higher thresholds that do not begin with it are over:
 *   whoever was told of them was not told of this one.
 * - E4 A row that is not listed is in no stretch.
 * - E5 A moment is later than any that the row had before, whatever the clocks of processes say.
 *
 * @param former the row as it is stored; undefined: it is new
 */
export function alertPeriodsAfter(
  former: AlertPeriodFacts | undefined,
  vulnerability: AlertPeriodFacts,
  now: Date,
): AlertPeriods {
  const previous = former?.alert_periods ?? {};
  const severity = openSeverity(vulnerability);
  if (severity === null) return previous.last === undefined ? {} : { last: previous.last };
  const before = former ? openSeverity(former) : null;
  const moment = laterThan(previous.last, now);
  const next: AlertPeriods = { ...previous };
  let begun = false;
  for (const threshold of upwards) {
    if (!reaches(severity, threshold)) {
      if (begun) delete next[threshold];
    } else if (begun || !next[threshold] || before === null || !reaches(before, threshold)) {
      next[threshold] = moment;
      begun = true;
    }
  }
  return begun ? { ...next, last: moment } : next;
}

/**
 * The episode of a row that is listed at or above a threshold, and the moments by which whoever was
 * told of one is known to know of it: its own and those of the higher thresholds within it.
 *
 * Where the stored moments do not say since when, which no write leaves behind, it is the latest one
 * that the row had: told once more at worst.
 */
export function alertPeriodOf(
  vulnerability: AlertPeriodFacts,
  threshold: AlertThreshold,
): { alertPeriod: string; notified_by: string[] } {
  const previous = vulnerability.alert_periods ?? {};
  const alertPeriod = previous[threshold];
  if (alertPeriod === undefined) {
    const known = previous.last ?? vulnerability.first_seen_at ?? new Date(0).toISOString();
    return { alertPeriod: known, notified_by: [known] };
  }
  const above = upwards.slice(upwards.indexOf(threshold) + 1);
  const moments = above.flatMap((higher) => previous[higher] ?? []);
  return { alertPeriod, notified_by: [...new Set([alertPeriod, ...moments])] };
}

/** Null: the row is not in the active list. */
function openSeverity({ status, snapshot }: AlertPeriodFacts): Severity | null {
  return status === 'open' && snapshot ? snapshot.severity : null;
}

function reaches(severity: Severity, threshold: AlertThreshold): boolean {
  return levels[severity] >= levels[threshold];
}

function laterThan(last: string | undefined, now: Date): string {
  const least = last === undefined ? -Infinity : Date.parse(last) + 1;
  return new Date(Math.max(now.getTime(), least)).toISOString();
}
