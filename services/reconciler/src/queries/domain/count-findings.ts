import type {
  AlertThreshold,
  BriefVulnerability,
  FailingVulnerability,
  FindingCounts,
  Severity,
  SeverityCounts,
} from '@bomtrail/messages';
import { severityOrder as order } from './brief-records';
import { severitiesFrom } from '../../alert-periods/domain/alert-periods';

/** The rule of a gate. `fail_on`: the lowest severity that fails it. */
export interface GateRule {
  fail_on: AlertThreshold;
  /** Only vulnerabilities that the baseline does not contain fail the gate. */
  only_new: boolean;
}

/**
 * Counts the findings for a gate.
 *
 * - A tracked vulnerability counts once, with its worst finding, in however many versions of a package the
 *   SBOM contains it.
 * - Accepted vulnerabilities do not fail the gate and are counted separately. Vulnerabilities that are
 *   `fixed` in the service count, because this SBOM, an older one, still contains them.
 * - A vulnerability is new if the baseline does not contain its id. Both SBOMs are evaluated with today's
 *   advisories, so a new advisory does not make an old package's vulnerability new.
 * - `unknown` fails a gate like `low`, as in alerts; `none` never fails one.
 *
 * @param baseline findings of the baseline; `none`: no baseline, all findings are new; `unknown`: the
 *   baseline was not scanned
 * @returns the counts, and the failing vulnerabilities, worst first; none if the rule is `only_new` and the
 *   baseline is unknown
 */
export function countFindings(
  findings: readonly BriefVulnerability[],
  baseline: readonly BriefVulnerability[] | 'none' | 'unknown',
  rule: GateRule,
): { counts: Omit<FindingCounts, 'revision' | 'untracked'>; failing: FailingVulnerability[] } {
  const isNew = newness(baseline);
  const worst = new Map<string, FailingVulnerability>();
  for (const finding of findings) {
    const known = worst.get(finding.id);
    if (known && byWeight(known, finding) <= 0) continue;
    worst.set(finding.id, { ...finding, is_new: isNew(finding.id) });
  }
  const all = [...worst.values()];
  const open = all.filter(({ status }) => status !== 'accepted');
  const stops = new Set(severitiesFrom(rule.fail_on));
  const failing = open
    .filter(({ severity, is_new }) => stops.has(severity) && (is_new === true || !rule.only_new))
    .sort(byWeight);
  const counts = {
    counts: bySeverity(open),
    new_counts: baseline === 'unknown' ? null : bySeverity(open.filter(({ is_new }) => is_new)),
    accepted: all.length - open.length,
    failing: failing.length,
  };
  return { counts, failing };
}

/** The result of `countFindings`. */
export type Counted = ReturnType<typeof countFindings>;

/**
 * Adds the results of two parts that share no package. Keeps the worst `mostFailing` failing vulnerabilities.
 */
export function addCounts(a: Counted, b: Counted, mostFailing: number): Counted {
  const sum = (one: SeverityCounts, other: SeverityCounts): SeverityCounts => {
    const added = Object.entries(one).map(([key, count]) => [key, count + other[key as Severity]]);
    return Object.fromEntries(added) as SeverityCounts;
  };
  const news = [a.counts.new_counts, b.counts.new_counts] as const;
  return {
    counts: {
      counts: sum(a.counts.counts, b.counts.counts),
      new_counts: news[0] && news[1] && sum(news[0], news[1]),
      accepted: a.counts.accepted + b.counts.accepted,
      failing: a.counts.failing + b.counts.failing,
    },
    failing: [...a.failing, ...b.failing].sort(byWeight).slice(0, mostFailing),
  };
}

function newness(
  baseline: readonly BriefVulnerability[] | 'none' | 'unknown',
): (id: string) => boolean | null {
  if (baseline === 'unknown') return () => null;
  const had = new Set(baseline === 'none' ? [] : baseline.map(({ id }) => id));
  return (id) => !had.has(id);
}

function bySeverity(findings: readonly BriefVulnerability[]): SeverityCounts {
  const counts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

/** Worst first, with a fixed order of ties. */
function byWeight(a: BriefVulnerability, b: BriefVulnerability): number {
  return (
    order.indexOf(a.severity) - order.indexOf(b.severity) ||
    (b.cvss_score ?? -1) - (a.cvss_score ?? -1) ||
    compareText(a.package_name, b.package_name) ||
    compareText(a.package_version, b.package_version) ||
    compareText(a.id, b.id)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
