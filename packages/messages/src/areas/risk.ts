import { z } from 'zod';
import { rpc } from '../define';

/**
 * Probability of exploitation in the next 30 days, and the share of CVEs with the same score or
 * less; both 0 to 1. Source: FIRST, Exploit Prediction Scoring System.
 */
export interface EpssScore {
  score: number;
  percentile: number;
}

/** Entry of CISA's catalog of known exploited vulnerabilities. Dates are `YYYY-MM-DD`. */
export interface KevEntry {
  date_added: string;
  due_date: string | null;
  /** Known to be used in ransomware campaigns. */
  ransomware: boolean;
}

/** What the risk feeds say about one CVE; null for nothing. */
export interface RiskScores {
  cve: string;
  epss: EpssScore | null;
  kev: KevEntry | null;
  /**
   * When this installation first knew an entry of the CVE in `kev` (ISO 8601). Never moved: an
   * entry that is removed and listed again keeps the first time. Null: never.
   */
  exploited_known_at: string | null;
}

/** When reports of an actively exploited vulnerability in a product are due (ISO 8601). */
export interface ReportingDeadlines {
  early_warning: string;
  notification: string;
  /** Null while no fix is known. */
  final_report: string | null;
}

const hourMs = 3_600_000;

/**
 * The deadlines of Regulation (EU) 2024/2847 (Cyber Resilience Act), Article 14(2), counted from
 * the time when the exploitation was known here (docs/rules.md CR2, CR3); null without that time, or
 * if it was decided that the product is not affected.
 */
export function reportingDeadlines(vulnerability: {
  exploited_known_at: string | null;
  fixed_versions: readonly string[];
  status: string;
}): ReportingDeadlines | null {
  const { exploited_known_at, fixed_versions, status } = vulnerability;
  if (exploited_known_at === null || status === 'not_affected' || status === 'false_positive')
    return null;
  const after = (hours: number) =>
    new Date(Date.parse(exploited_known_at) + hours * hourMs).toISOString();
  return {
    early_warning: after(24),
    notification: after(72),
    final_report: fixed_versions.length > 0 ? after(14 * 24) : null,
  };
}

/** State of a risk feed. Ages in seconds; null if nothing is loaded. */
export interface RiskFeedView {
  feed: 'epss' | 'kev';
  /** False if it is switched off. */
  enabled: boolean;
  /** Source of the values, without credentials. */
  source: string | null;
  last_success_at: string | null;
  /** The date that the values are of. */
  as_of: string | null;
  age_seconds: number | null;
  records: number;
  /** Revision of the last change. */
  revision: number | null;
  last_error: { message: string; at: string | null } | null;
}

/** Maximum CVEs per request or page. */
export const maxRiskScores = 2_000;

const cve = z.string().regex(/^CVE-\d{4}-\d{4,19}$/);

/** The scores of these CVEs; those without any are left out. */
export const readRiskScores = rpc<{ revision: number; scores: RiskScores[] }>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'read-risk-scores.v1',
  request: z.object({ cves: z.array(cve).max(maxRiskScores) }),
});

/**
 * The scores that changed after a revision, by CVE, at most `maxRiskScores`. `next`: continue
 * after this CVE; null: the end.
 */
export const listRiskChanges = rpc<{
  revision: number;
  scores: RiskScores[];
  next: string | null;
}>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'list-risk-changes.v1',
  request: z.object({ after_revision: z.number().int().min(0), after_cve: z.string().max(40) }),
});
