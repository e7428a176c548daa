import type { AlertThreshold, Severity } from '@bomtrail/messages';
import { sameValue } from '../../tracking/domain/same-value';
import type { AlertPeriods, TrackedVulnerability } from '../../tracking/domain/types';

/** A threshold, or `open`, which every severity reaches. */
type Level = AlertThreshold | 'open';

/** In ascending order. */
const upwards: readonly Level[] = ['open', 'low', 'medium', 'high', 'critical'];

/** `unknown` counts as `low` (docs/rules.md AL2); `none` is below every threshold. */
const levels: Record<Severity | 'open', number> = {
  open: 0,
  critical: 4,
  high: 3,
  medium: 2,
  low: 1,
  unknown: 1,
  none: 0,
};

/** The fields of a tracked vulnerability that alert periods depend on. */
export type AlertPeriodFacts = Pick<
  TrackedVulnerability,
  'status' | 'snapshot' | 'first_seen_at' | 'alert_periods'
>;

/** The severities at or above a threshold. */
export function severitiesFrom(threshold: AlertThreshold): Severity[] {
  const all = Object.keys(levels) as (Severity | 'open')[];
  return all.filter((one) => one !== 'open').filter((severity) => reaches(severity, threshold));
}

/**
 * The alert periods of a tracked vulnerability after a write. An alert period of a threshold is an unbroken
 * time in which the vulnerability is open at or above the threshold; its start names it.
 *
 * - E1 It starts when the vulnerability becomes open (not accepted) at or above the threshold.
 * - E2 It lasts while the vulnerability is open. If the severity falls below the threshold, the start is
 *   kept, so that recipients of that alert are known to know the vulnerability. If the severity rises again,
 *   a new period starts.
 * - E3 When a period starts, periods of higher thresholds that do not start with it end: their recipients
 *   were not notified of this one.
 * - E4 A vulnerability that is not open has no alert period.
 * - E6 `open` starts when the vulnerability becomes open, whatever its severity. It names the periods that
 *   KEV and EPSS begin (docs/rules.md AL6), of which nothing is stored here.
 * - E5 A start is later than every earlier start of the vulnerability, whatever the clocks of the processes
 *   show.
 *
 * @param former the stored vulnerability; undefined if it is new
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
 * The vulnerabilities after a step of a change, with the alert periods that follow. Every step is given, so that what
 * disappears and returns within a change starts a new period. Unchanged vulnerabilities keep their object identity.
 *
 * @param before the vulnerabilities before the step, with their alert periods
 */
export function withAlertPeriods(
  before: readonly TrackedVulnerability[],
  after: readonly TrackedVulnerability[],
  now: Date,
): TrackedVulnerability[] {
  const former = new Map(before.map((vulnerability) => [vulnerability.id, vulnerability]));
  return after.map((vulnerability) => {
    const known = former.get(vulnerability.id);
    if (sameValue(known, vulnerability)) return vulnerability;
    const alert_periods = alertPeriodsAfter(known, vulnerability, now);
    return Object.assign({}, vulnerability, { alert_periods });
  });
}

/** An alert period as it is listed; see `AlertPeriodView`. */
export interface ListedPeriod {
  period_start: string;
  notified_by: string[];
  reaches_threshold: boolean;
  open_since: string;
}

/**
 * The alert period of an open vulnerability at or above a threshold, and the starts (of this period and of
 * higher thresholds within it) for which a sent notification covers it. Below the threshold, or without one,
 * it is the time since it is open.
 *
 * If the stored starts lack the threshold, falls back to the latest known start: at worst one repeated
 * notification.
 */
export function alertPeriodOf(
  vulnerability: AlertPeriodFacts,
  threshold: AlertThreshold | null,
): ListedPeriod {
  const previous = vulnerability.alert_periods ?? {};
  const known = previous.last ?? vulnerability.first_seen_at ?? new Date(0).toISOString();
  const open_since = previous.open ?? known;
  const severity = openSeverity(vulnerability) ?? 'unknown';
  if (threshold === null || !reaches(severity, threshold))
    return {
      period_start: open_since,
      notified_by: [open_since],
      reaches_threshold: false,
      open_since,
    };
  const reached = { reaches_threshold: true, open_since };
  const period_start = previous[threshold];
  if (period_start === undefined) return { period_start: known, notified_by: [known], ...reached };
  const above = upwards.slice(upwards.indexOf(threshold) + 1);
  const moments = above.flatMap((higher) => previous[higher] ?? []);
  return { period_start, notified_by: [...new Set([period_start, ...moments])], ...reached };
}

/** Null if the vulnerability is not in the active list. */
function openSeverity({ status, snapshot }: AlertPeriodFacts): Severity | null {
  return status === 'open' && snapshot ? snapshot.severity : null;
}

function reaches(severity: Severity, threshold: Level): boolean {
  return levels[severity] >= levels[threshold];
}

function laterThan(last: string | undefined, now: Date): string {
  const least = last === undefined ? -Infinity : Date.parse(last) + 1;
  return new Date(Math.max(now.getTime(), least)).toISOString();
}
