import type { AlertPeriodView, Severity } from '@bomtrail/messages';

const order: Record<Severity, number> = {
  critical: 0,
  high: 1,
  medium: 2,
  low: 3,
  unknown: 4,
  none: 5,
};

type Compared = Pick<
  AlertPeriodView,
  'kev' | 'severity' | 'cvss_score' | 'cve_id' | 'package_name' | 'vulnerability_id'
>;

/** Deterministic order of vulnerabilities in a message: known exploited, severity, score, name. */
export function bySeverity(one: Compared, other: Compared): number {
  return (
    Number(one.kev === null) - Number(other.kev === null) ||
    order[one.severity] - order[other.severity] ||
    (other.cvss_score ?? -1) - (one.cvss_score ?? -1) ||
    compareText(one.cve_id, other.cve_id) ||
    compareText(one.package_name, other.package_name) ||
    compareText(one.vulnerability_id, other.vulnerability_id)
  );
}

/** The first `count` of both lists in that order; `top` has at most `count`. */
export function severest<Item extends Compared>(
  top: readonly Item[],
  more: readonly Item[],
  count: number,
): Item[] {
  return [...top, ...more].sort(bySeverity).slice(0, count);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
