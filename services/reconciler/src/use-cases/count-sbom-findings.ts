import {
  maxFailingShown,
  type AlertThreshold,
  type FailingVulnerability,
  type FindingCounts,
} from '@bomtrail/messages';
import { addCounts, countFindings } from '../domain/count-findings';
import {
  matchFindings,
  type ListSbomVulnerabilitiesDeps,
  type MatchedFindings,
  type ScannedSet,
} from './list-sbom-vulnerabilities';

/**
 * Counts what stops a gate in an SBOM, and what of it its baseline does not have, both as of the advisories
 * of this moment.
 *
 * @throws AppError `service_unavailable` while one of them is not reconciled; `sbom_not_found` once one
 * of them was removed
 */
export async function countSbomFindings(
  deps: ListSbomVulnerabilitiesDeps,
  query: {
    service_id: string;
    sbom: ScannedSet;
    baseline: ScannedSet | 'none' | 'unknown';
    fail_on: AlertThreshold;
    only_new: boolean;
  },
): Promise<{ counts: FindingCounts; failing: FailingVulnerability[] }> {
  const { service_id, sbom, baseline, ...rule } = query;
  const compared = typeof baseline === 'string' ? [] : [baseline];
  const sboms = [sbom, ...compared];
  const byId = rule.only_new && compared.length > 0;
  const nothing = countFindings([], typeof baseline === 'string' ? baseline : [], rule);
  let all = { ...nothing, revision: Number.MAX_SAFE_INTEGER, unplaced: 0 };
  for await (const found of matchFindings(deps, { service_id, sboms, advisories: 'now' })) {
    // A gate judges the worst of a vulnerability's versions, whatever its lowest one has.
    const [own = [], before = []] = found.map(({ matched }) =>
      matched.map(({ brief, worst }) => ({ ...brief, ...worst })),
    );
    const part = countFindings(own, typeof baseline === 'string' ? baseline : before, rule);
    all = {
      ...addCounts(all, part, maxFailingShown),
      revision: Math.min(all.revision, ...found.map(({ revision }) => revision)),
      unplaced: found.reduce((sum, one) => sum + unplacedOf(one, byId), all.unplaced),
    };
  }
  const { counts, failing, revision, unplaced } = all;
  return { counts: { ...counts, revision, unplaced }, failing };
}

/**
 * Findings whose row is not at hand, or may say what is not true of them: that they are accepted, or
 * (where two SBOMs are compared `byId`) that they are one with another finding of its row. What is
 * accepted stays so while it gains aliases: it still has that which the acceptance was given for (R13).
 */
function unplacedOf({ matched, unplaced }: MatchedFindings, byId: boolean): number {
  const isDoubtful = ({ brief, fit }: MatchedFindings['matched'][number]): boolean =>
    byId ? fit !== 'same' : brief.status === 'accepted' && fit === 'other';
  return unplaced + matched.filter(isDoubtful).length;
}
