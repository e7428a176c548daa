import type { KevEntry, RiskScores } from '@bomtrail/messages';

/** What the risk feeds and the details say about a vulnerability in a package; null: nothing. */
export interface RiskValues {
  epss_score: number | null;
  epss_percentile: number | null;
  kev: KevEntry | null;
  /** 0 to 100 (docs/rules.md RK3). */
  risk: number | null;
}

/** Nothing is known. */
export const unrated: RiskValues = {
  epss_score: null,
  epss_percentile: null,
  kev: null,
  risk: null,
};

/** What the risk of a vulnerability follows from, besides the feeds. */
export interface RiskFacts {
  /** CVSS score, or the lower bound of the severity band; null for unknown. */
  score_sort: number | null;
  /** A version with a fix is known. */
  has_fix: boolean;
}

/** Weights of severity, exploitation and fix; together 100. */
const ofSeverity = 40;
const ofExploitation = 50;
const ofFix = 10;

/**
 * - RK1 A vulnerability has the highest EPSS score of its CVEs, with the percentile of that CVE.
 * - RK2 It is known to be exploited if one of its CVEs is: since the earliest date, in ransomware campaigns
 *   if any entry says so.
 * - RK3 Risk is 40 points for a score of 10, 50 for known exploitation or else 50 × √EPSS, and 10 if there is
 *   a fix, rounded to one decimal. It is null while neither severity, EPSS nor KEV is known.
 *
 * @param scores of the CVEs of the vulnerability; those without any are left out
 */
export function riskValues(facts: RiskFacts, scores: readonly RiskScores[]): RiskValues {
  const [epss = null] = scores
    .flatMap((one) => one.epss ?? [])
    .sort((a, b) => b.score - a.score || b.percentile - a.percentile);
  const kev = earliest(scores.flatMap((one) => one.kev ?? []));
  return {
    epss_score: epss && epss.score,
    epss_percentile: epss && epss.percentile,
    kev,
    risk: riskOf(facts, epss && epss.score, kev !== null),
  };
}

function riskOf(
  { score_sort, has_fix }: RiskFacts,
  epss: number | null,
  isExploited: boolean,
): number | null {
  if (score_sort === null && epss === null && !isExploited) return null;
  const severity = (ofSeverity * (score_sort ?? 0)) / 10;
  const exploitation = ofExploitation * (isExploited ? 1 : Math.sqrt(epss ?? 0));
  return Math.round((severity + exploitation + (has_fix ? ofFix : 0)) * 10) / 10;
}

function earliest(entries: readonly KevEntry[]): KevEntry | null {
  const [first] = [...entries].sort((a, b) => (a.date_added < b.date_added ? -1 : 1));
  if (!first) return null;
  return { ...first, ransomware: entries.some(({ ransomware }) => ransomware) };
}

const cve = /^CVE-\d{4}-\d{4,19}$/;

/** The CVEs among the upper-case ids of an alias group. */
export function cvesOf(ids: readonly string[]): string[] {
  return ids.filter((id) => cve.test(id));
}
