import type { AlertThreshold, FailingVulnerability, FindingCounts } from '@bomtrail/messages';
import { countFindings } from '../domain/count-findings';
import {
  placeFindings,
  type ListSbomVulnerabilitiesDeps,
  type PlacedFindings,
  type ScannedSet,
} from './list-sbom-vulnerabilities';

/**
 * Counts what stops a gate in an SBOM, and what of it the previous one of its line has not got, both as
 * of the advisories of this moment.
 *
 * @throws AppError `service_unavailable` while one of them is not reconciled; `sbom_not_found` once one
 * of them was removed
 */
export async function countSbomFindings(
  deps: ListSbomVulnerabilitiesDeps,
  asked: {
    line_id: string;
    sbom: ScannedSet;
    previous: ScannedSet | 'none' | 'unknown';
    fail_on: AlertThreshold;
    only_new: boolean;
  },
): Promise<{ counts: FindingCounts; failing: FailingVulnerability[] }> {
  const { line_id, sbom, previous, ...rule } = asked;
  const compared = typeof previous === 'string' ? [] : [previous];
  const sboms = [sbom, ...compared];
  const found = await placeFindings(deps, { line_id, sboms, advisories: 'now' });
  const [own = [], before = []] = found.map(({ placed }) => placed.map(({ brief }) => brief));
  const byId = rule.only_new && compared.length > 0;
  const counted = countFindings(own, typeof previous === 'string' ? previous : before, rule);
  const counts = {
    ...counted.counts,
    revision: Math.min(...found.map(({ revision }) => revision)),
    unplaced: found.reduce((sum, one) => sum + unplacedOf(one, byId), 0),
  };
  return { counts, failing: counted.failing };
}

/**
 * Findings whose row is not at hand, or may say what is not true of them: that they are accepted, or
 * (where two SBOMs are compared `byId`) that they are one with another finding of its row. What is
 * accepted stays so while it gains aliases: it still has that which the acceptance was given for (R13).
 */
function unplacedOf({ placed, unplaced }: PlacedFindings, byId: boolean): number {
  const isDoubtful = ({ brief, fit }: PlacedFindings['placed'][number]): boolean =>
    byId ? fit !== 'same' : brief.status === 'accepted' && fit === 'other';
  return unplaced + placed.filter(isDoubtful).length;
}
