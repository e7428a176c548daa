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
