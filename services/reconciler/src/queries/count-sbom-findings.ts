import {
  maxFailingReturned,
  type BriefVulnerability,
  type FailingVulnerability,
  type FindingCounts,
} from '@bomtrail/messages';
import { addCounts, countFindings, type GateRule } from './domain/count-findings';
import { isDecided } from '../tracking/domain/decisions';
import {
  matchFindings,
  withRisk,
  type ListSbomVulnerabilitiesDeps,
  type MatchedFindings,
  type ScannedSet,
} from './list-sbom-vulnerabilities';

/**
 * Counts the findings of an SBOM for a gate, compared with a baseline, both with the scanner's current
 * advisories.
 *
 * @throws AppError `service_unavailable` while one of them is not reconciled; `sbom_not_found` if one was
 *   removed
 */
export async function countSbomFindings(
  deps: ListSbomVulnerabilitiesDeps,
  query: {
    service_id: string;
    sbom: ScannedSet;
    baseline: ScannedSet | 'none' | 'unknown';
  } & GateRule,
): Promise<{ counts: FindingCounts; failing: FailingVulnerability[] }> {
  const { service_id, sbom, baseline, ...rule } = query;
  const compared = typeof baseline === 'string' ? [] : [baseline];
  const sboms = [sbom, ...compared];
  const byId = rule.only_new && compared.length > 0;
  const nothing = countFindings<BriefVulnerability>(
    [],
    typeof baseline === 'string' ? baseline : [],
    rule,
  );
  let all = { ...nothing, revision: Number.MAX_SAFE_INTEGER, untracked: 0 };
  for await (const found of matchFindings(deps, { service_id, sboms, advisories: 'now' })) {
    const [{ matched: own } = { matched: [] }, { matched: before } = { matched: [] }] = found;
    const judged = await withRisk(deps, own, ({ brief }) => brief);
    const had = typeof baseline === 'string' ? baseline : before.map(({ brief }) => brief);
    const part = countFindings(judged, had, rule);
    all = {
      ...addCounts(all, part, maxFailingReturned),
      revision: Math.min(all.revision, ...found.map(({ revision }) => revision)),
      untracked: found.reduce((sum, one) => sum + untrackedOf(one, byId), all.untracked),
    };
  }
  const { counts, failing, revision, untracked } = all;
  return { counts: { ...counts, revision, untracked }, failing };
}

/**
 * Findings without a tracked vulnerability, or whose vulnerability may be wrong about them: about acceptance
 * or (when comparing two SBOMs, `byId`) about identity. An accepted vulnerability that gains aliases stays
 * accepted: it keeps the accepted alias (R13).
 */
function untrackedOf({ matched, unplaced }: MatchedFindings, byId: boolean): number {
  const isDoubtful = ({ brief, fit }: MatchedFindings['matched'][number]): boolean =>
    byId ? fit !== 'same' : isDecided(brief.status) && fit === 'other';
  return unplaced + matched.filter(isDoubtful).length;
}
