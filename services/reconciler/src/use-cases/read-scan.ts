import { AppError, readFindings, type FindingsReport } from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/service-kit';
import type { Observation } from '../domain/types';

/** What the scanner says of a component set now. */
export interface Scan {
  observations: Observation[];
  vulnerabilities: FindingsReport['vulnerabilities'];
  /** The advisory revision that it stands on. */
  revision: number;
}

/**
 * Asks the scanner for the findings of a component set.
 *
 * @throws AppError `service_unavailable` also when the set is not evaluated yet: it is asked again
 */
export async function readScan(request: Request, digest: string): Promise<Scan> {
  const scan = await findScan(request, digest);
  if (!scan) throw new AppError('service_unavailable', 'The component set is not evaluated yet.');
  return scan;
}

/** What the scanner says of a component set now; null when it is not evaluated yet. */
export async function findScan(request: Request, digest: string): Promise<Scan | null> {
  const answer = await request(readFindings, { digest }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'sbom_not_found') return null;
    throw error;
  });
  if (!answer) return null;
  if (!answer.attachment) throw new Error('The scanner sent no findings.');
  const report = (await unpackJson(answer.attachment)) as FindingsReport;
  const { vulnerabilities } = report;
  return { observations: observationsOf(report), vulnerabilities, revision: answer.body.revision };
}

/** The findings of a report with their details joined, in its order. */
export function observationsOf({ findings, vulnerabilities }: FindingsReport): Observation[] {
  return findings.map((finding): Observation => {
    const details = vulnerabilities[finding.details];
    if (!details) throw new Error(`The scanner sent no details for ${finding.details}.`);
    return {
      package_key: finding.package_key,
      package_name: finding.package_name,
      package_version: finding.package_version,
      purl: finding.purl,
      ecosystem: finding.ecosystem,
      is_direct: finding.is_direct,
      ...(finding.is_root ? { is_root: true } : {}),
      fixed_versions: finding.fixed_versions,
      details: finding.details,
      aliases: details.aliases,
      advisory_ids: details.advisory_ids,
      cve_id: details.cve_id,
      severity: details.severity,
      cvss_score: details.cvss_score,
      published_at: details.published_at,
    };
  });
}
