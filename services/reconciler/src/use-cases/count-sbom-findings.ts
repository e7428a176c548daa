import type { AlertThreshold, FailingVulnerability, FindingCounts } from '@bomtrail/messages';
import { countFindings } from '../domain/count-findings';
import { placeFindings, type ListSbomVulnerabilitiesDeps } from './list-sbom-vulnerabilities';

interface LineSbom {
  sbom_id: string;
  digest: string;
}

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
    sbom: LineSbom;
    previous: LineSbom | 'none' | 'unknown';
    fail_on: AlertThreshold;
    only_new: boolean;
  },
): Promise<{ counts: FindingCounts; failing: FailingVulnerability[] }> {
  const { line_id, sbom, previous, ...rule } = asked;
  const compared = typeof previous === 'string' ? [] : [previous];
  const sboms = [sbom, ...compared];
  const found = await placeFindings(deps, { line_id, sboms, advisories: 'now' });
  const [own = [], before = []] = found.map(({ placed }) => placed);
  const counted = countFindings(own, typeof previous === 'string' ? previous : before, rule);
  const counts = {
    ...counted.counts,
    revision: Math.min(...found.map(({ revision }) => revision)),
    unplaced: found.reduce((sum, { unplaced }) => sum + unplaced, 0),
  };
  return { counts, failing: counted.failing };
}
