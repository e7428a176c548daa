import type { BriefVulnerability } from '@bomtrail/api-client';
import type { Judged } from '../gate/judged';
import { cleanText, shortened } from './clean-text';
import { fixText } from './table';

/** Score of a severity without CVSS score: the lower bound of its band. */
const bandScore = { critical: 9, high: 7, medium: 4, low: 0.1, none: 0, unknown: null } as const;
const ranks = ['critical', 'high', 'medium', 'low', 'unknown', 'none'];
const maxTitleLength = 200;

/** CVSS score, else the lower bound of the severity's band; null if the severity is unknown. */
export function scoreOf(row: BriefVulnerability): number | null {
  return row.cvss_score ?? bandScore[row.severity];
}

/**
 * The findings of an SBOM, most severe first, one entry per affected component. What a newer SBOM of the service fixes
 * is among them: this one contains it, and its gate counts it.
 */
export function occurrencesOf(rows: readonly BriefVulnerability[]): BriefVulnerability[] {
  return rows
    .flatMap((row) => row.occurrences?.map((one) => ({ ...row, ...one })) ?? [row])
    .sort((one, other) => ranks.indexOf(one.severity) - ranks.indexOf(other.severity));
}

/** Why a finding does not count: ignored by the project file, or decided on the server. Null if it counts. */
export function suppressionOf(
  row: Pick<BriefVulnerability, 'id' | 'status'>,
  ignored: Judged['ignored'],
): string | null {
  const entry = ignored.get(row.id);
  if (entry) {
    const until = entry.expiresAt.toISOString().slice(0, 16);
    return cleanText(`Ignored by the project file until ${until}Z: ${entry.reason}`);
  }
  if (row.status === 'open' || row.status === 'fixed') return null;
  return row.status === 'accepted'
    ? 'Accepted as a risk in bomtrail.'
    : cleanText(`Decided in bomtrail: ${String(row.status).replaceAll('_', ' ')}.`);
}

/** `CVE-2021-44228: Remote code execution in …`; the id alone without a title. */
export function titleOf(row: BriefVulnerability): string {
  const id = cleanText(row.cve_id);
  const title = row.title ? shortened(row.title, maxTitleLength) : '';
  return title === '' || title === id ? id : `${id}: ${title}`;
}

/** `log4j-core@2.14.1`. */
export function packageOf(row: BriefVulnerability): string {
  return cleanText(`${row.package_name}@${row.package_version}`);
}

/** What to do about a finding. */
export function solutionOf(row: BriefVulnerability): string {
  const name = cleanText(row.package_name);
  return row.fixed_versions.length === 0
    ? `No fixed version of ${name} is known.`
    : `Update ${name} to ${fixText(row.fixed_versions)}.`;
}

/** The page of an advisory. */
export function advisoryUrl(id: string): string {
  return `https://osv.dev/vulnerability/${encodeURIComponent(cleanText(id))}`;
}
