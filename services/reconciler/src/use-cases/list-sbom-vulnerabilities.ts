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
 * has in the service now, as of the advisories that the lists show.
 *
 * @throws AppError `service_unavailable` while it is not reconciled, so that it never looks clean;
 * `sbom_not_found` once it, or its line, was removed
 */
export async function listSbomVulnerabilities(
  deps: ListSbomVulnerabilitiesDeps,
  { line_id, ...sbom }: LineSbom & { line_id: string },
): Promise<BriefVulnerability[]> {
  const [found] = await placeFindings(deps, { line_id, sboms: [sbom], advisories: 'shown' });
  return found?.placed ?? [];
}

/** What is found in one SBOM, and the revision that it is right for. */
export interface PlacedFindings {
  placed: BriefVulnerability[];
  /** How many have no row, or one that says that it is gone: the line is about to be brought up to date. */
  unplaced: number;
  revision: number;
}

/**
 * The same for several SBOMs of a line, as they are at one moment, in their order.
 *
 * @param advisories `shown`: those that the lists show; `now`: the scanner's of this moment, whose
 *   findings may have no place in the lists yet
 */
export async function placeFindings(
  deps: ListSbomVulnerabilitiesDeps,
  asked: { line_id: string; sboms: readonly LineSbom[]; advisories: 'shown' | 'now' },
): Promise<PlacedFindings[]> {
  const { line_id, sboms, advisories } = asked;
  const looked = Promise.all(sboms.map(({ sbom_id }) => entryOf(deps, sbom_id)));
  const project = looked.then(([entry]) => entry?.project_id ?? '');
  const [entries] = await Promise.all([looked, lapseExpired(deps, project)]);
  const stored = await deps.ledgers.load(line_id);
  if (stored === 'forgotten') throw new AppError('sbom_not_found');
  const shown = advisories === 'shown' ? stored.ledger?.newest_revision : undefined;
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
  const rowOf = rowsByAlias(stored.rows);
  return scans.map(({ observations, revision }) => {
    const placed = observations.flatMap((observation) => {
      const row = rowOf(observation);
      return row ? [briefOf(observation, row)] : [];
    });
    return { placed, unplaced: observations.length - placed.length, revision };
  });
}

type ShownRow = Row & { status: BriefVulnerability['status'] };

/**
 * Finds the row of an observation, by any of its aliases: an advisory that gains a CVE has it before the
 * rows know it.
 */
function rowsByAlias(
  rows: readonly Row[],
): (observation: Pick<Observation, 'package_key' | 'aliases'>) => ShownRow | undefined {
  const byAlias = new Map<string, ShownRow>();
  for (const row of rows) {
    const { status } = row;
    if (status === 'merged' || status === 'vanished') continue;
    for (const alias of row.identity) {
      byAlias.set(`${row.package_key}\n${alias}`, { ...row, status });
    }
  }
  return ({ package_key, aliases }) => {
    for (const alias of aliases) {
      const row = byAlias.get(`${package_key}\n${alias.toUpperCase()}`);
      if (row) return row;
    }
    return undefined;
  };
}

function briefOf(observation: Observation, row: ShownRow): BriefVulnerability {
  return {
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
  };
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
