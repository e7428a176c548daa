import {
  maxFailingReturned,
  type BriefVulnerability,
  type countFindings as definition,
  type FailingVulnerability,
  type FindingCounts,
  type RequestOf,
} from '@bomtrail/messages';
import { decisionsOnSbom, type DecisionsOnSbomDeps } from '../vex/decisions-about';
import type { MatchedObservation } from './domain/brief-records';
import { addCounts, countFindings } from './domain/count-findings';
import { decidePlaced } from './domain/decide-placed';
import { isDecided } from '../tracking/domain/decisions';
import {
  matchFindings,
  sbomVersionOf,
  withRisk,
  type ListSbomVulnerabilitiesDeps,
  type MatchedFindings,
} from './list-sbom-vulnerabilities';

export type CountSbomFindingsDeps = ListSbomVulnerabilitiesDeps & DecisionsOnSbomDeps;

/**
 * Counts the findings of an SBOM for a gate, compared with a baseline, both with the scanner's current
 * advisories. It is judged as if it were the newest SBOM of its service, whichever was uploaded since.
 *
 * @throws AppError `service_unavailable` while one of them is not reconciled; `sbom_not_found` if one was
 *   removed
 */
export async function countSbomFindings(
  deps: CountSbomFindingsDeps,
  query: RequestOf<typeof definition>,
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
  const { project_id } = await sbomVersionOf(deps, sbom.sbom_id);
  const { decisions, now } = await decisionsOnSbom(deps, { service_id, project_id }, sbom.sbom_id);
  const decide = (placed: MatchedObservation[]): MatchedObservation[] =>
    decidePlaced(placed, decisions, { service_id, now });
  const findings = { service_id, sboms, advisories: 'now', decide } as const;
  for await (const found of matchFindings(deps, findings)) {
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
