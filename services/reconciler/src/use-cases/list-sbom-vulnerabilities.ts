import { AppError, type BriefVulnerability } from '@bomtrail/messages';
import type { Row } from '../domain/types';
import type { ForgetStore } from '../store/forget-store';
import type { LedgerStore } from '../store/ledger-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import { readScan } from './read-scan';
import type { ReconcileSbomDeps } from './reconcile-sbom';

/**
 * The vulnerabilities of one SBOM, each with the version that this SBOM holds and the state that it
 * has in the service now.
 *
 * @throws AppError `service_unavailable` while it is not reconciled, so that it never looks clean;
 * `sbom_not_found` once it, or its line, was removed
 */
export async function listSbomVulnerabilities(
  deps: Pick<ReconcileSbomDeps, 'request'> & {
    ledgers: Pick<LedgerStore, 'entry' | 'load'>;
    forgotten: ForgetStore;
  } & LapseExpiredDeps,
  sbom: { sbom_id: string; line_id: string; digest: string },
): Promise<BriefVulnerability[]> {
  const entry = await deps.ledgers.entry(sbom.sbom_id);
  if (!entry) throw new AppError('service_unavailable', 'The SBOM is not in the lists yet.');
  if ('removed' in entry) throw new AppError('sbom_not_found');
  await lapseExpired(deps, entry.project_id);
  const [{ observations }, stored] = await Promise.all([
    readScan(deps.request, sbom.digest),
    deps.ledgers.load(sbom.line_id),
  ]);
  // Looked at last: rows that were purged while they were read would be a list that is too short.
  if (stored === 'forgotten' || (await deps.forgotten.isForgotten(entry))) {
    throw new AppError('sbom_not_found');
  }
  const rowOf = new Map<string, Row>();
  for (const row of stored.rows) {
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
