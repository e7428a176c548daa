import { AppError, type BriefVulnerability } from '@bomtrail/messages';
import type { Observation, Row } from '../domain/types';
import type { LogDocument } from '../store/documents';
import type { ForgetStore } from '../store/forget-store';
import type { LedgerStore } from '../store/ledger-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import type { ReconcileSbomDeps } from './reconcile-sbom';

export type ListSbomVulnerabilitiesDeps = Pick<ReconcileSbomDeps, 'scans'> & {
  ledgers: Pick<LedgerStore, 'entry' | 'load'>;
  forgotten: ForgetStore;
} & LapseExpiredDeps;

interface LineSbom {
  sbom_id: string;
  digest: string;
}

/**
 * The vulnerabilities of one SBOM, each with the version that this SBOM holds and the state that it
 * has in the service now.
 *
 * @throws AppError `service_unavailable` while it is not reconciled, so that it never looks clean;
 * `sbom_not_found` once it, or its line, was removed
 */
export async function listSbomVulnerabilities(
  deps: ListSbomVulnerabilitiesDeps,
  { line_id, ...sbom }: LineSbom & { line_id: string },
): Promise<BriefVulnerability[]> {
  const [found] = await listVulnerabilitiesOf(deps, { line_id, sboms: [sbom] });
  return found ?? [];
}

/** The same for several SBOMs of a line, as they are at one moment, in their order. */
export async function listVulnerabilitiesOf(
  deps: ListSbomVulnerabilitiesDeps,
  { line_id, sboms }: { line_id: string; sboms: readonly LineSbom[] },
): Promise<BriefVulnerability[][]> {
  const looked = Promise.all(sboms.map(({ sbom_id }) => entryOf(deps, sbom_id)));
  const project = looked.then(([entry]) => entry?.project_id ?? '');
  const [entries] = await Promise.all([looked, lapseExpired(deps, project)]);
  const stored = await deps.ledgers.load(line_id);
  if (stored === 'forgotten') throw new AppError('sbom_not_found');
  const shown = stored.ledger?.newest_revision;
  // Looked at last: rows that were purged while they were read would be a list that is too short.
  const [scans, forgotten] = await Promise.all([
    Promise.all(
      sboms.map(({ digest }) => {
        const query = { digest, packages: null };
        return shown === undefined ? deps.scans.readNow(query) : deps.scans.readAt(query, shown);
      }),
    ),
    Promise.all(entries.map((entry) => deps.forgotten.isForgotten(entry))),
  ]);
  if (forgotten.includes(true)) throw new AppError('sbom_not_found');
  const rowOf = new Map<string, Row>();
  for (const row of stored.rows) {
    if (row.status === 'merged') continue;
    for (const alias of row.identity) rowOf.set(`${row.package_key}\n${alias}`, row);
  }
  return scans.map(({ observations }) =>
    observations.flatMap((observation) => {
      const alias = (observation.aliases[0] ?? '').toUpperCase();
      return briefOf(observation, rowOf.get(`${observation.package_key}\n${alias}`));
    }),
  );
}

function briefOf(observation: Observation, row: Row | undefined): BriefVulnerability[] {
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
