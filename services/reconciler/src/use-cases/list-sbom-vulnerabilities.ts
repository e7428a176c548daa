import { AppError, type BriefVulnerability } from '@bomtrail/messages';
import { placesIn, type Fit, type ListedRow } from '../domain/place-observations';
import type { Observation } from '../domain/types';
import type { LogDocument } from '../store/documents';
import type { ForgetStore } from '../store/forget-store';
import type { LedgerStore } from '../store/ledger-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import type { ReconcileSbomDeps } from './reconcile-sbom';

export type ListSbomVulnerabilitiesDeps = Pick<ReconcileSbomDeps, 'scans'> & {
  ledgers: Pick<LedgerStore, 'entry' | 'load'>;
  forgotten: ForgetStore;
} & LapseExpiredDeps;

/** An SBOM of a line by what was scanned for it. */
export interface ScannedSet {
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
  { line_id, ...sbom }: ScannedSet & { line_id: string },
): Promise<BriefVulnerability[]> {
  const [found] = await placeFindings(deps, { line_id, sboms: [sbom], advisories: 'shown' });
  return found?.placed.map(({ brief }) => brief) ?? [];
}

/** What is found in one SBOM, and the revision that it is right for. */
export interface PlacedFindings {
  /** Each with the state of its row, and whether that row shows the same alias group. */
  placed: { brief: BriefVulnerability; fit: Fit }[];
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
  asked: { line_id: string; sboms: readonly ScannedSet[]; advisories: 'shown' | 'now' },
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
  const placeOf = placesIn(stored.rows);
  return scans.map(({ observations, revision }) => {
    const placed = observations.flatMap((observation) => {
      const place = placeOf(observation);
      return place ? [{ brief: briefOf(observation, place.row), fit: place.fit }] : [];
    });
    return { placed, unplaced: observations.length - placed.length, revision };
  });
}

function briefOf(observation: Observation, row: ListedRow): BriefVulnerability {
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
