import { AppError, type BriefVulnerability } from '@bomtrail/messages';
import { briefRecords, type PlacedBrief } from '../domain/brief-records';
import { placesIn } from '../domain/place-observations';
import { TooLargeAtOnce } from '../domain/too-large';
import type { Observation } from '../domain/types';
import type { LogDocument } from '../store/documents';
import type { ForgetStore } from '../store/forget-store';
import type { LedgerStore } from '../store/ledger-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import { partsOf, readPages, whileMoving } from './read-finding-pages';
import type { ReconcileSbomDeps } from './reconcile-sbom';

export type ListSbomVulnerabilitiesDeps = Pick<
  ReconcileSbomDeps,
  'scans' | 'request' | 'withKey'
> & {
  ledgers: Pick<LedgerStore, 'entry' | 'load' | 'ledger' | 'rows' | 'packageCounts' | 'rowsRead'>;
  forgotten: ForgetStore;
} & LapseExpiredDeps;

/** An SBOM of a line by what was scanned for it. */
export interface ScannedSet {
  sbom_id: string;
  digest: string;
}

/**
 * The vulnerabilities of one SBOM, each once, with the versions that this SBOM contains and the state
 * that it has in the service now, as of the advisories that the lists show; some at a time.
 *
 * @throws AppError `service_unavailable` while it is not reconciled, so that it never looks clean;
 * `sbom_not_found` once it, or its line, was removed
 */
export async function* listSbomVulnerabilities(
  deps: ListSbomVulnerabilitiesDeps,
  { service_id, ...sbom }: ScannedSet & { service_id: string },
): AsyncGenerator<BriefVulnerability[]> {
  const asked = { service_id, sboms: [sbom], advisories: 'shown' as const };
  for await (const [found] of placeFindings(deps, asked))
    yield found?.placed.map(({ brief }) => brief) ?? [];
}

/** What is found in one SBOM, and the revision that it is right for. */
export interface PlacedFindings {
  /** Each with the state of its row, and whether that row shows the same alias group. */
  placed: PlacedBrief[];
  /** How many findings have no row, or one that says that it is gone: the line is about to be brought up to date. */
  unplaced: number;
  revision: number;
}

/**
 * The same for several SBOMs of a line, in their order: all at once as they are at one moment, or, where
 * that is more than should be in memory, of some packages after the other, each as it is at one moment.
 *
 * @param advisories `shown`: those that the lists show; `now`: the scanner's of this moment, whose
 *   findings may have no place in the lists yet
 */
export async function* placeFindings(
  deps: ListSbomVulnerabilitiesDeps,
  asked: SbomsToPlace,
): AsyncGenerator<PlacedFindings[]> {
  const whole = await placeAll(deps, asked).catch((error: unknown) => {
    if (error instanceof TooLargeAtOnce) return null;
    throw error;
  });
  if (whole) yield whole;
  else yield* placeInParts(deps, asked);
}

interface SbomsToPlace {
  service_id: string;
  sboms: readonly ScannedSet[];
  advisories: 'shown' | 'now';
}

async function placeAll(
  deps: ListSbomVulnerabilitiesDeps,
  asked: SbomsToPlace,
): Promise<PlacedFindings[]> {
  const { service_id, sboms, advisories } = asked;
  const looked = Promise.all(sboms.map(({ sbom_id }) => entryOf(deps, sbom_id)));
  const project = looked.then(([entry]) => entry?.project_id ?? '');
  const [entries] = await Promise.all([looked, lapseExpired(deps, project)]);
  const stored = await deps.ledgers.load(service_id);
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
  return scans.map((scan) => placed(scan, placeOf));
}

/** One part in the process at a time: this bounds the memory that readers take. */
const turn = 'a part of a large answer';

async function* placeInParts(
  deps: ListSbomVulnerabilitiesDeps,
  { service_id, sboms }: SbomsToPlace,
): AsyncGenerator<PlacedFindings[]> {
  const digests = sboms.map(({ digest }) => digest);
  const { packageCounts, rowsRead } = deps.ledgers;
  const also = { rows: await packageCounts(service_id), most: rowsRead, onlyFound: true as const };
  const { parts } = await partsOf(deps.request, digests, also);
  for (const packages of parts) {
    const found = await deps.withKey(turn, () =>
      placePart(deps, { service_id, digests, packages }),
    );
    const entries = await Promise.all(sboms.map(({ sbom_id }) => entryOf(deps, sbom_id)));
    const forgotten = await Promise.all(entries.map((entry) => deps.forgotten.isForgotten(entry)));
    if (forgotten.includes(true)) throw new AppError('sbom_not_found');
    yield found;
  }
}

/** Nothing of an answer refers to the details. */
const keep = async (): Promise<void> => {};

function placePart(
  deps: ListSbomVulnerabilitiesDeps,
  part: { service_id: string; digests: readonly string[]; packages: readonly string[] },
): Promise<PlacedFindings[]> {
  const { service_id, digests, packages } = part;
  return whileMoving(async () => {
    const ledger = await deps.ledgers.ledger(service_id);
    if (ledger === 'forgotten') throw new AppError('sbom_not_found');
    const placeOf = placesIn(await deps.ledgers.rows({ serviceId: service_id, ledger }, packages));
    const all: PlacedFindings[] = [];
    for (const digest of digests) {
      const observations: Observation[] = [];
      let revision = Number.MAX_SAFE_INTEGER;
      const pages = readPages({ request: deps.request, keep }, { digest, packages });
      for await (const page of pages) {
        for (const one of page.observations) observations.push(one);
        revision = Math.min(revision, page.revision);
      }
      all.push(placed({ observations, revision }, placeOf));
    }
    return all;
  });
}

function placed(
  { observations, revision }: { observations: readonly Observation[]; revision: number },
  placeOf: ReturnType<typeof placesIn>,
): PlacedFindings {
  const found = observations.flatMap((observation) => {
    const place = placeOf(observation);
    return place ? [{ observation, ...place }] : [];
  });
  const unplaced = observations.length - found.length;
  return { placed: briefRecords(found), unplaced, revision };
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
