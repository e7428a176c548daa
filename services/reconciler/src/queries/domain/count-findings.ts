import type {
  BriefVulnerability,
  DecisionKind,
  FailedRule,
  FailingVulnerability,
  FindingCounts,
  GateRule,
  SeverityCounts,
} from '@bomtrail/messages';
import { isDecided } from '../../tracking/domain/decisions';
import { byWorst } from '../../tracking/domain/snapshot';
import { severitiesFrom } from '../../alert-periods/domain/alert-periods';
import { compareValues } from '../../tracking/domain/compare-values';
import { noCounts } from './group-vulnerabilities';

const rules: readonly FailedRule[] = ['fail_on', 'fail_on_kev', 'max_epss'];

/** A finding, whether it is new, and the rules that it breaks. */
export type JudgedFinding<Finding> = Finding &
  Pick<FailingVulnerability, 'is_new' | 'failed_rules'>;

/** The result of `countFindings`. */
export interface Counted<Finding = BriefVulnerability> {
  counts: Omit<FindingCounts, 'revision' | 'untracked'>;
  failing: JudgedFinding<Finding>[];
}

/**
 * Counts the findings for a gate.
 *
 * - Vulnerabilities that a decision takes out of the active list do not fail the gate and are counted by the
 *   kind of decision; those in triage count, and can fail it. Vulnerabilities that are
 *   `fixed` in the service count, because this SBOM, an older one, still contains them.
 * - A vulnerability is new if the baseline does not contain its id. Both SBOMs are evaluated with today's
 *   advisories, so a new advisory does not make an old package's vulnerability new.
 * - `unknown` fails a gate like `low`, as in alerts; `none` never fails one by its severity.
 * - Known exploitation and a high EPSS score fail it by rules of their own; all rules ignore what has no
 *   fix if the gate is `only_fixable`.
 *
 * @param findings one for each tracked vulnerability (R18)
 * @param baseline findings of the baseline; `none`: no baseline, all findings are new; `unknown`: the
 *   baseline was not scanned
 * @returns the counts, and the failing vulnerabilities, worst first; none if the rule is `only_new` and the
 *   baseline is unknown
 */
export function countFindings<Finding extends BriefVulnerability>(
  findings: readonly Finding[],
  baseline: readonly Pick<BriefVulnerability, 'id'>[] | 'none' | 'unknown',
  rule: GateRule,
): Counted<Finding> {
  const all = judgeFindings(findings, baseline, rule);
  const open = all.filter(({ status }) => !isDecided(status));
  const failing = open
    .filter(({ is_new, failed_rules }) => failed_rules.length > 0 && (is_new || !rule.only_new))
    .sort(byWeight);
  const decided = byDecision(all);
  const counts = {
    counts: bySeverity(open),
    new_counts: baseline === 'unknown' ? null : bySeverity(open.filter(({ is_new }) => is_new)),
    accepted: decided.risk_accepted,
    decided,
    failing: failing.length,
    failing_by_rule: byRule(failing),
  };
  return { counts, failing };
}

/** Whether each is new, and the rules that it breaks, new or not; accepted ones break none. */
export function judgeFindings<Finding extends BriefVulnerability>(
  findings: readonly Finding[],
  baseline: readonly Pick<BriefVulnerability, 'id'>[] | 'none' | 'unknown',
  rule: GateRule,
): JudgedFinding<Finding>[] {
  const isNew = newness(baseline);
  return findings.map((finding) => ({
    ...finding,
    is_new: isNew(finding.id),
    failed_rules: isDecided(finding.status) ? [] : brokenRules(finding, rule),
  }));
}

function brokenRules(finding: BriefVulnerability, rule: GateRule): FailedRule[] {
  if (rule.only_fixable && !hasFix(finding)) return [];
  const { max_epss = 1 } = rule;
  const broken: Record<FailedRule, boolean> = {
    fail_on: rule.fail_on !== 'none' && severitiesFrom(rule.fail_on).includes(finding.severity),
    fail_on_kev: rule.fail_on_kev === true && finding.kev !== null,
    max_epss: (finding.epss_score ?? 0) > max_epss,
  };
  return rules.filter((name) => broken[name]);
}

/** Whether a fix is known for any of its versions. */
function hasFix({ fixed_versions, occurrences = [] }: BriefVulnerability): boolean {
  return [{ fixed_versions }, ...occurrences].some((one) => one.fixed_versions.length > 0);
}

function byRule(failing: readonly FailingVulnerability[]): Record<FailedRule, number> {
  const count = (name: FailedRule): number =>
    failing.filter(({ failed_rules }) => failed_rules.includes(name)).length;
  return {
    fail_on: count('fail_on'),
    fail_on_kev: count('fail_on_kev'),
    max_epss: count('max_epss'),
  };
}

/**
 * Adds the results of two parts that share no package. Keeps the worst `mostFailing` failing vulnerabilities.
 */
export function addCounts<Finding extends BriefVulnerability>(
  a: Counted<Finding>,
  b: Counted<Finding>,
  mostFailing: number,
): Counted<Finding> {
  const news = [a.counts.new_counts, b.counts.new_counts] as const;
  return {
    counts: {
      counts: sumOf(a.counts.counts, b.counts.counts),
      new_counts: news[0] && news[1] && sumOf(news[0], news[1]),
      accepted: a.counts.accepted + b.counts.accepted,
      decided: sumOf(a.counts.decided, b.counts.decided),
      failing: a.counts.failing + b.counts.failing,
      failing_by_rule: sumOf(a.counts.failing_by_rule, b.counts.failing_by_rule),
    },
    failing: [...a.failing, ...b.failing].sort(byWeight).slice(0, mostFailing),
  };
}

function sumOf<Key extends string>(
  one: Record<Key, number>,
  other: Record<Key, number>,
): Record<Key, number> {
  const added = (Object.keys(one) as Key[]).map((key) => [key, one[key] + other[key]]);
  return Object.fromEntries(added) as Record<Key, number>;
}

function newness(
  baseline: readonly Pick<BriefVulnerability, 'id'>[] | 'none' | 'unknown',
): (id: string) => boolean | null {
  if (baseline === 'unknown') return () => null;
  const had = new Set(baseline === 'none' ? [] : baseline.map(({ id }) => id));
  return (id) => !had.has(id);
}

function bySeverity(findings: readonly BriefVulnerability[]): SeverityCounts {
  const counts = noCounts();
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

function byDecision(findings: readonly BriefVulnerability[]): Record<DecisionKind, number> {
  const counts = { risk_accepted: 0, not_affected: 0, false_positive: 0, in_triage: 0 };
  for (const { decision } of findings) if (decision) counts[decision.decision] += 1;
  return counts;
}

/** Worst first, with a fixed order of ties. */
function byWeight(a: BriefVulnerability, b: BriefVulnerability): number {
  return (
    byWorst(a, b) ||
    compareValues(a.package_name, b.package_name) ||
    compareValues(a.package_version, b.package_version) ||
    compareValues(a.id, b.id)
  );
}
