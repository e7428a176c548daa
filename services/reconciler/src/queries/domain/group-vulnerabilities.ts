import type { Severity, SeverityCounts, VulnerabilityGroup } from '@bomtrail/messages';
import { compareValues } from '../../tracking/domain/compare-values';
import { worstFirst } from '../../tracking/domain/snapshot';

/** Some vulnerabilities with the same details, of one group. */
export interface Counted {
  severity: Severity;
  count: number;
  isExploited: boolean;
  has_fix: boolean;
  risk: number | null;
}

/** What a group shows of its vulnerabilities. */
export type GroupFigures = Pick<
  VulnerabilityGroup,
  'counts' | 'total' | 'kev' | 'fixable' | 'highest_risk'
>;

/** Sums up the vulnerabilities of a group. */
export function figuresOf(counted: readonly Counted[]): GroupFigures {
  const figures: GroupFigures = {
    counts: noCounts(),
    total: 0,
    kev: 0,
    fixable: 0,
    highest_risk: null,
  };
  for (const one of counted) {
    figures.counts[one.severity] += one.count;
    figures.total += one.count;
    if (one.isExploited) figures.kev += one.count;
    if (one.has_fix) figures.fixable += one.count;
    if (one.risk !== null) figures.highest_risk = Math.max(figures.highest_risk ?? 0, one.risk);
  }
  return figures;
}

export function noCounts(): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
}

interface Ranked extends Pick<VulnerabilityGroup, 'counts' | 'total'> {
  key: string;
}

/** docs/rules.md VU12: groups by vulnerability or package: the highest risk first, then the largest, then by key. */
export function byRisk(
  a: Ranked & Pick<VulnerabilityGroup, 'highest_risk'>,
  b: Ranked & Pick<VulnerabilityGroup, 'highest_risk'>,
): number {
  return (
    (b.highest_risk ?? -1) - (a.highest_risk ?? -1) ||
    b.total - a.total ||
    compareValues(a.key, b.key)
  );
}

/** docs/rules.md VU12: groups by service or project: the most critical ones first, then the most high ones, and so on; then by key. */
export function byWorst(a: Ranked, b: Ranked): number {
  for (const severity of worstFirst) {
    const difference = b.counts[severity] - a.counts[severity];
    if (difference !== 0) return difference;
  }
  return compareValues(a.key, b.key);
}
