import { maxRiskScores, type RiskScores } from '@bomtrail/messages';
import type { RiskScoreStore, RiskStateStore } from './ports';

export interface RiskDeps {
  riskStates: RiskStateStore;
  riskScores: RiskScoreStore;
}

/**
 * The scores that changed after a revision, one page by CVE. Changes of a load in progress are not
 * included: they have a revision that is not in force.
 */
export async function listRiskChanges(
  { riskStates, riskScores }: RiskDeps,
  { after_revision: after, after_cve: cve }: { after_revision: number; after_cve: string },
): Promise<{ revision: number; scores: RiskScores[]; next: string | null }> {
  const { revision } = await riskStates.read();
  if (revision <= after) return { revision, scores: [], next: null };
  const scores = await riskScores.listChanged({ after, upTo: revision, cve }, maxRiskScores);
  const next = scores.length === maxRiskScores ? (scores.at(-1)?.cve ?? null) : null;
  return { revision, scores, next };
}

/** The scores of these CVEs, with the revision in force. */
export async function readRiskScores(
  { riskStates, riskScores }: RiskDeps,
  { cves }: { cves: readonly string[] },
): Promise<{ revision: number; scores: RiskScores[] }> {
  // The revision first: a score that changes meanwhile is listed as a change after it.
  const { revision } = await riskStates.read();
  return { revision, scores: await riskScores.find(cves) };
}
