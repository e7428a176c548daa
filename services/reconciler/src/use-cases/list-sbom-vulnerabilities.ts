import { AppError, type BriefVulnerability } from '@bomtrail/messages';
import { readScan } from './read-scan';
import type { ReconcileSbomDeps } from './reconcile-sbom';

/**
 * The vulnerabilities of one SBOM, each with the version that this SBOM holds and the state that it
 * has in the service now.
 *
 * @throws AppError `service_unavailable` while it is not reconciled, so that it never looks clean;
 * `sbom_not_found` once it was removed
 */
export async function listSbomVulnerabilities(
  deps: Pick<ReconcileSbomDeps, 'ledgers' | 'request'>,
  sbom: { sbom_id: string; line_id: string; digest: string },
): Promise<BriefVulnerability[]> {
  const entry = await deps.ledgers.entry(sbom.sbom_id);
  if (!entry) throw new AppError('service_unavailable', 'The SBOM is not in the lists yet.');
  if ('removed' in entry) throw new AppError('sbom_not_found');
  const [{ observations }, { rows }] = await Promise.all([
    readScan(deps.request, sbom.digest),
    deps.ledgers.load(sbom.line_id),
  ]);
  const rowOf = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    if (row.status === 'merged') continue;
    for (const alias of row.identity) rowOf.set(`${row.package_key}\n${alias}`, row);
  }
  return observations.flatMap((observation): BriefVulnerability[] => {
    const row = rowOf.get(
      `${observation.package_key}\n${(observation.aliases[0] ?? '').toUpperCase()}`,
    );
    if (!row || row.status === 'merged' || row.status === 'vanished') return [];
    return [
      {
        id: row.id,
        cve_id: observation.cve_id,
        severity: observation.severity,
        cvss_score: observation.cvss_score,
        package_name: observation.package_name,
        package_version: observation.package_version,
        purl: observation.purl,
        fixed_versions: observation.fixed_versions,
        status: row.status,
        advisory_ids: observation.advisory_ids,
      },
    ];
  });
}
