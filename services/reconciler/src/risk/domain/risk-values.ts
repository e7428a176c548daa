import type { KevEntry, RiskScores } from '@bomtrail/messages';

/** What the risk feeds and the details say about a vulnerability in a package; null: nothing. */
export interface RiskValues {
  epss_score: number | null;
  epss_percentile: number | null;
  kev: KevEntry | null;
  /** 0 to 100 (docs/rules.md RK3). */
  risk: number | null;
}

/** Risk values, and since when they are known. */
export interface RatedValues extends RiskValues {
  /** When this installation first knew that one of the CVEs is exploited; null without `kev`. */
  exploited_known_at: Date | null;
}

/** Nothing is known. */
export const unrated: RatedValues = {
  epss_score: null,
  epss_percentile: null,
  kev: null,
  risk: null,
  exploited_known_at: null,
};

/** The values that every record of a vulnerability shows. */
export function shownValues(values: RatedValues = unrated): RiskValues {
  const { epss_score, epss_percentile, kev, risk } = values;
  return { epss_score, epss_percentile, kev, risk };
}

/**
 * CR1 When it was known that a vulnerability in a service is exploited: when the first entry was loaded, or
 * when the vulnerability was detected, whichever is later; null without an entry.
 */
export function exploitedKnownAt(
  values: Pick<RatedValues, 'exploited_known_at'> | undefined,
  detected_at: Date | undefined,
): string | null {
  const known = values?.exploited_known_at ?? null;
  if (known === null) return null;
  return (detected_at && detected_at > known ? detected_at : known).toISOString();
}

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
 * - RK5 It is known as exploited here since the first time that an entry of one of its CVEs was loaded.
 *
 * @param scores of the CVEs of the vulnerability; those without any are left out
 */
export function riskValues(facts: RiskFacts, scores: readonly RiskScores[]): RatedValues {
  const [epss = null] = scores
    .flatMap((one) => one.epss ?? [])
    .sort((a, b) => b.score - a.score || b.percentile - a.percentile);
  const listed = scores.filter((one) => one.kev);
  const kev = earliest(listed.flatMap((one) => one.kev ?? []));
  const [known] = listed.flatMap((one) => one.exploited_known_at ?? []).sort();
  return {
    epss_score: epss && epss.score,
    epss_percentile: epss && epss.percentile,
    kev,
    risk: riskOf(facts, epss && epss.score, kev !== null),
    exploited_known_at: known === undefined ? null : new Date(known),
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
