import { AppError, type BriefVulnerability } from '@bomtrail/messages';
import type { Row } from '../domain/types';
import type { LogDocument } from '../store/documents';
import type { ForgetStore } from '../store/forget-store';
import type { LedgerStore } from '../store/ledger-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import type { ReconcileSbomDeps } from './reconcile-sbom';

/**
 * The vulnerabilities of one SBOM, each with the version that this SBOM holds and the state that it
 * has in the service now.
 *
 * @throws AppError `service_unavailable` while it is not reconciled, so that it never looks clean;
 * `sbom_not_found` once it, or its line, was removed
 */
export async function listSbomVulnerabilities(
  deps: Pick<ReconcileSbomDeps, 'scans'> & {
    ledgers: Pick<LedgerStore, 'entry' | 'load'>;
    forgotten: ForgetStore;
  } & LapseExpiredDeps,
  sbom: { sbom_id: string; line_id: string; digest: string },
): Promise<BriefVulnerability[]> {
  const looked = entryOf(deps, sbom.sbom_id);
  const project = looked.then(({ project_id }) => project_id);
  const [entry] = await Promise.all([looked, lapseExpired(deps, project)]);
  const stored = await deps.ledgers.load(sbom.line_id);
  if (stored === 'forgotten') throw new AppError('sbom_not_found');
  const shown = stored.ledger?.newest_revision;
  const query = { digest: sbom.digest, packages: null };
  // Looked at last: rows that were purged while they were read would be a list that is too short.
  const [{ observations }, isForgotten] = await Promise.all([
    shown === undefined ? deps.scans.readNow(query) : deps.scans.readAt(query, shown),
    deps.forgotten.isForgotten(entry),
  ]);
  if (isForgotten) throw new AppError('sbom_not_found');
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

async function entryOf(
  { ledgers }: { ledgers: Pick<LedgerStore, 'entry'> },
  sbomId: string,
): Promise<Exclude<LogDocument, { removed: true }>> {
  const entry = await ledgers.entry(sbomId);
  if (!entry) throw new AppError('service_unavailable', 'The SBOM is not in the lists yet.');
  if ('removed' in entry) throw new AppError('sbom_not_found');
  return entry;
}
