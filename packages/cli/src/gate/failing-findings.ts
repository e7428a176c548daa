import type { BriefVulnerability, SbomVerdict } from '@bomtrail/api-client';
import { suppressionOf } from '../output/finding-text';
import { severities } from './evaluate-verdict';
import type { Judged } from './judged';

/** From the most severe on; `unknown` counts as low. */
const ranks = severities.filter((one) => one !== 'none' && one !== 'unknown');

/**
 * Says of each finding, by its id, whether it fails the gate. A verdict names the first 100 that do: of the others its
 * rules decide, as on the server.
 *
 * @returns null if a finding breaks a rule of a gate with `--only-new`, and only the server knows whether it is new
 */
export function failingFindings(
  findings: readonly BriefVulnerability[],
  { verdict, ignored }: Pick<Judged, 'verdict' | 'ignored'>,
): (id: string) => boolean | null {
  const failing = new Set(verdict.failing.map(({ id }) => id));
  if (verdict.failing_total <= failing.size) return (id) => failing.has(id);
  const unnamed = new Set(
    findings
      .filter((row) => suppressionOf(row, ignored) === null && breaksRule(row, verdict))
      .map(({ id }) => id),
  );
  return (id) => failing.has(id) || (unnamed.has(id) && (verdict.only_new ? null : true));
}

function breaksRule(row: BriefVulnerability, verdict: SbomVerdict): boolean {
  const { fail_on, fail_on_kev, max_epss, only_fixable } = verdict;
  if (only_fixable && !hasFix(row)) return false;
  return (
    isFrom(fail_on, row.severity) ||
    (fail_on_kev && row.kev !== null) ||
    (max_epss !== null && (row.epss_score ?? 0) > max_epss)
  );
}

function isFrom(failOn: SbomVerdict['fail_on'], severity: BriefVulnerability['severity']): boolean {
  if (failOn === 'none' || severity === 'none') return false;
  return ranks.indexOf(severity === 'unknown' ? 'low' : severity) <= ranks.indexOf(failOn);
}

/** Whether a fix is known for any of its versions. */
function hasFix({ fixed_versions, occurrences = [] }: BriefVulnerability): boolean {
  return [{ fixed_versions }, ...occurrences].some((one) => one.fixed_versions.length > 0);
}
