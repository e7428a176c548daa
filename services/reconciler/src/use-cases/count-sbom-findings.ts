import type { AlertThreshold, FailingVulnerability, FindingCounts } from '@bomtrail/messages';
import { countFindings } from '../domain/count-findings';
import {
  listVulnerabilitiesOf,
  type ListSbomVulnerabilitiesDeps,
} from './list-sbom-vulnerabilities';

interface LineSbom {
  sbom_id: string;
  digest: string;
}

/**
 * Counts what stops a gate in an SBOM, and what of it the previous one of its line has not got.
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
  const lists = await listVulnerabilitiesOf(deps, { line_id, sboms: [sbom, ...compared] });
  const [found = [], before = []] = lists;
  return countFindings(found, typeof previous === 'string' ? previous : before, rule);
}
