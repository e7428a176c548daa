import type {
  FindingCounts,
  GateThreshold,
  LicenseJudgement,
  RiskFeedView,
  SbomQuality,
  ScanStatus,
} from '@bomtrail/messages';
import type { CoverageView } from '../../sboms/domain/coverage-view';

/** Verdict and reasons of the contract's SbomVerdict. */
export type Verdict = 'pass' | 'fail' | 'undecided';

export interface Remark<Code extends string> {
  code: Code;
  /** One sentence for readers of the CI log. */
  message: string;
}

export type Reason = Remark<
  | 'findings'
  | 'scan_pending'
  | 'scan_failed'
  | 'nothing_judged'
  | 'feed_not_loaded'
  | 'starter_data'
  | 'feed_stale'
  | 'baseline_pending'
  | 'advisories_changing'
  | 'risk_feed_not_loaded'
  | 'licenses'
  | 'no_license_policy'
  | 'quality'
  | 'quality_unknown'
>;
export type Caveat = Remark<
  | 'part_judged'
  | 'severity_unknown'
  | 'no_baseline'
  | 'risk_feed_stale'
  | 'license_unknown'
  | 'license_warned'
  | 'license_rule_unknown'
  | 'advisories_changing'
>;

export interface Judged {
  verdict: Verdict;
  reasons: Reason[];
  caveats: Caveat[];
}

/** Facts about an SBOM. `found` is null before the scan. */
export interface Known {
  scan: { status: ScanStatus; error: string | null };
  coverage: CoverageView | null;
  found: FindingCounts | null;
  /** Advisory revision of the coverage. */
  revision: number;
  baseline: 'none' | 'pending' | 'scanned';
  fail_on: GateThreshold;
  only_new: boolean;
  /** Risk feeds that a rule of the gate needs. */
  riskFeeds: readonly Pick<RiskFeedView, 'feed' | 'records' | 'age_seconds'>[];
  /** null: the gate has no rule about licences. */
  licenses: LicenseJudgement | 'no_policy' | null;
  /** null: the gate has no rule about the quality of the document. */
  quality: { min: number; found: SbomQuality | 'unknown' } | null;
}

/** What a document lacks, in a reason; the verdict lists all. */
const maxExamples = 3;

const daySeconds = 86_400;
/** As for reminders (AL13): EPSS and KEV appear less than daily at times. */
const riskStaleSeconds = 4 * daySeconds;

/** Reasons about advisory data, by coverage reason. */
const dataReasons = [
  ['feed_not_loaded', 'no advisories are loaded for'],
  ['starter_data', 'only the small set of advisories that comes with the product speaks of'],
  ['feed_stale', 'the advisories are too old for'],
] as const;

/**
 * Evaluates a gate.
 *
 * - V1 A vulnerability that fails the gate fails it in any case.
 * - V2 It passes only if the scan is finished, at least one component was evaluated, and the advisories of every
 * supported component are loaded and current; else it is undecided.
 * - V3 Components that no advisories can evaluate (no purl, no version, …) do not prevent a pass, but are reported.
 * - V4 New vulnerabilities can be determined only against a scanned baseline.
 * - V5 The findings are based on the loaded advisories, and every finding is tracked: while a new advisory revision is
 * being applied, nothing passes, and what fails may have more findings.
 * - V6 A licence that the policy of the project denies fails a gate with `fail_on_license`, whatever the
 * scan says. Without a policy such a gate passes nothing.
 * - V7 A document whose quality score is below `min_quality` fails, whatever the scan says; nothing passes while the
 * score is unknown.
 */
export function judge(known: Known): Judged {
  const failing = known.found?.failing ?? 0;
  const others = [...deniedLicences(known), ...poorQuality(known)];
  if (failing > 0 || others.length > 0) {
    const findings: Reason[] =
      failing > 0 ? [{ code: 'findings', message: says(known, failing) }] : [];
    return { verdict: 'fail', reasons: [...findings, ...others], caveats: caveatsOfFail(known) };
  }
  const reasons = doubts(known);
  return { verdict: reasons.length > 0 ? 'undecided' : 'pass', reasons, caveats: caveats(known) };
}

function says({ fail_on, only_new, found }: Known, failing: number): string {
  const threshold = fail_on === 'critical' ? fail_on : `${fail_on} or worse`;
  const rules = found?.failing_by_rule;
  const texts = [
    [rules?.fail_on ?? failing, threshold],
    [rules?.fail_on_kev ?? 0, 'known to be exploited'],
    [rules?.max_epss ?? 0, 'likely to be exploited (EPSS above the limit)'],
  ] as const;
  const what = (count: number): string =>
    count === 1 ? '1 vulnerability is' : `${count} vulnerabilities are`;
  const sentences = texts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${what(count)} ${text}`);
  return `${sentences.join(', ')}${only_new ? ' and new' : ''}.`;
}

function deniedLicences({ licenses }: Known): Reason[] {
  if (!licenses || licenses === 'no_policy' || licenses.denied === 0) return [];
  const { denied, components } = licenses;
  const [first] = components;
  const example = first ? `, such as ${first.name} (${first.license ?? 'no licence'})` : '';
  const has = denied === 1 ? 'has a licence' : 'have licences';
  const message = `${capital(ofComponents(denied))} ${has} that the policy denies${example}.`;
  return [{ code: 'licenses', message }];
}

function poorQuality({ quality }: Known): Reason[] {
  if (!quality || quality.found === 'unknown' || quality.found.score >= quality.min) return [];
  const { score, elements } = quality.found;
  const lacking = new Set(elements.flatMap(({ reason }) => reason ?? []));
  const examples = [...lacking].slice(0, maxExamples).join(' ');
  const message = `The quality of the document is ${score} of 100, below ${quality.min}. ${examples}`;
  return [{ code: 'quality', message: message.trimEnd() }];
}

function doubts(known: Known): Reason[] {
  const { scan, coverage, found, revision, baseline, only_new, riskFeeds } = known;
  if (scan.status === 'failed') {
    const why = scan.error ?? 'The scan failed.';
    return [{ code: 'scan_failed', message: `${why} Upload it again to have it scanned again.` }];
  }
  if (!found || !coverage) {
    return [{ code: 'scan_pending', message: 'The scan is not finished yet.' }];
  }
  const reasons: Reason[] = [];
  if (coverage.scope === 'empty') {
    reasons.push({ code: 'nothing_judged', message: 'The document has no components.' });
  } else if (coverage.scope === 'none') {
    const listed = coverage.components - (coverage.roots ?? 0);
    const message = `None of the ${listed} components could be judged.`;
    reasons.push({ code: 'nothing_judged', message });
  }
  for (const [code, says] of dataReasons) {
    const count = coverage.undetermined[code] ?? 0;
    if (count > 0) reasons.push({ code, message: `${capital(says)} ${ofComponents(count)}.` });
  }
  if (known.licenses === 'no_policy') {
    const message = 'The project has no licence policy, which a rule of the gate needs.';
    reasons.push({ code: 'no_license_policy', message });
  }
  if (known.quality?.found === 'unknown') {
    const message = 'The quality of the document is unknown: upload it again.';
    reasons.push({ code: 'quality_unknown', message });
  }
  for (const { feed, records } of riskFeeds) {
    if (records > 0) continue;
    const message = `No values of ${feed.toUpperCase()} are loaded, which a rule of the gate needs.`;
    reasons.push({ code: 'risk_feed_not_loaded', message });
  }
  if (isChanging(found, revision)) {
    const message = 'Advisories have just changed and are still being applied.';
    reasons.push({ code: 'advisories_changing', message });
  }
  if (only_new && baseline === 'pending') {
    const message = 'The baseline has no finished scan, so new vulnerabilities are unknown.';
    reasons.push({ code: 'baseline_pending', message });
  }
  return reasons;
}

function isChanging({ revision, untracked }: FindingCounts, current: number): boolean {
  return revision < current || untracked > 0;
}

/** Who reads the findings as all there are, as a SARIF report does, closes those that are still missing. */
function caveatsOfFail(known: Known): Caveat[] {
  const { found, revision } = known;
  if (!found || !isChanging(found, revision)) return caveats(known);
  const message =
    'Advisories have just changed and are still being applied: there may be more findings.';
  return [...caveats(known), { code: 'advisories_changing', message }];
}

function caveats(known: Known): Caveat[] {
  const { coverage, found, baseline, fail_on, only_new } = known;
  const said = [...licenceCaveats(known), ...riskCaveats(known)];
  if (coverage?.scope === 'part') {
    const unjudged = coverage.components - coverage.evaluated;
    const message = `${unjudged} of ${coverage.components} components could not be judged.`;
    said.push({ code: 'part_judged', message: `${message}${undecided(coverage)}` });
  }
  const unknown = (only_new ? found?.new_counts?.unknown : found?.counts.unknown) ?? 0;
  if (unknown > 0 && fail_on !== 'low' && fail_on !== 'none') {
    const what = unknown === 1 ? '1 vulnerability has' : `${unknown} vulnerabilities have`;
    const message = `${what} no known severity; only \`low\` stops for such.`;
    said.push({ code: 'severity_unknown', message });
  }
  if (only_new && baseline === 'none') {
    const message =
      'There is no baseline (no earlier SBOM of this service passed its gate): everything counts as new.';
    said.push({ code: 'no_baseline', message });
  }
  return said;
}

/** Old values fail what was exploited by then; that they pass all else needs a remark. */
function riskCaveats({ riskFeeds }: Known): Caveat[] {
  return riskFeeds.flatMap(({ feed, records, age_seconds: age }) => {
    if (records === 0 || age === null || age <= riskStaleSeconds) return [];
    const days = Math.floor(age / daySeconds);
    const message = `The values of ${feed.toUpperCase()} are ${days} days old; the gate knows no newer ones.`;
    return [{ code: 'risk_feed_stale' as const, message }];
  });
}

/** Rules of a policy that are named; the others are in `licenses`. */
const maxRulesNamed = 3;

function licenceCaveats({ licenses }: Known): Caveat[] {
  if (!licenses || licenses === 'no_policy') return [];
  const said: Caveat[] = [];
  if (licenses.unknown > 0) {
    const message = `The licences of ${ofComponents(licenses.unknown)} are unknown: neither allowed nor denied.`;
    said.push({ code: 'license_unknown', message });
  }
  if (licenses.warned > 0) {
    const message = `The policy warns of the licences of ${ofComponents(licenses.warned)}.`;
    said.push({ code: 'license_warned', message });
  }
  for (const { license, similar } of licenses.unknown_rules?.slice(0, maxRulesNamed) ?? []) {
    const message = `The policy's rule about ${license} applies to no component: it is no SPDX licence id (${similar.join(', ')}?).`;
    said.push({ code: 'license_rule_unknown', message });
  }
  return said;
}

function undecided({ undecided_advisories: count = 0 }: CoverageView): string {
  if (count === 0) return '';
  const what = count === 1 ? '1 advisory' : `${count} advisories`;
  return ` ${what} could not be decided.`;
}

function ofComponents(count: number): string {
  return count === 1 ? '1 component' : `${count} components`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
