import { AppError, type BriefVulnerability } from '@bomtrail/messages';
import { briefRecords, type PlacedBrief } from '../domain/brief-records';
import { placesIn } from '../domain/place-observations';
import { TooLargeAtOnce } from '../domain/too-large';
import type { Observation } from '../domain/types';
import type { SbomVersionDocument } from '../store/documents';
import type { DeletionStore } from '../store/deletion-store';
import type { ServiceStateStore } from '../store/service-state-store';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import { partsOf, readPages, whileMoving } from './read-finding-pages';
import type { ReconcileSbomDeps } from './reconcile-sbom';

export type ListSbomVulnerabilitiesDeps = Pick<
  ReconcileSbomDeps,
  'scans' | 'request' | 'withKey'
> & {
  states: Pick<
    ServiceStateStore,
    'sbomVersion' | 'load' | 'state' | 'vulnerabilities' | 'packageCounts' | 'vulnerabilitiesRead'
  >;
  deletion_state: DeletionStore;
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
  const asked = { service_id, sboms: [sbom], advisories: 'snapshot' as const };
  for await (const [found] of placeFindings(deps, asked))
    yield found?.placed.map(({ brief }) => brief) ?? [];
}

/** What is found in one SBOM, and the revision that it is right for. */
export interface PlacedFindings {
  /** Each with the state of its row, and whether that row shows the same alias group. */
  placed: PlacedBrief[];
  /** How many findings have no row, or one that says that it is gone: the line is about to be brought up to date. */
  untracked: number;
  revision: number;
}

/**
 * The same for several SBOMs of a line, in their order: all at once as they are at one moment, or, where
 * that is more than should be in memory, of some packages after the other, each as it is at one moment.
 *
 * @param advisories `snapshot`: those that the lists show; `now`: the scanner's of this moment, whose
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
  advisories: 'snapshot' | 'now';
}

async function placeAll(
  deps: ListSbomVulnerabilitiesDeps,
  asked: SbomsToPlace,
): Promise<PlacedFindings[]> {
  const { service_id, sboms, advisories } = asked;
  const looked = Promise.all(sboms.map(({ sbom_id }) => sbomVersionOf(deps, sbom_id)));
  const project = looked.then(([sbomVersion]) => sbomVersion?.project_id ?? '');
  const [sbomVersions] = await Promise.all([looked, lapseExpired(deps, project)]);
  const stored = await deps.states.load(service_id);
  if (stored === 'deletion_state') throw new AppError('sbom_not_found');
  const snapshot = advisories === 'snapshot' ? stored.state?.max_revision : undefined;
  // Looked at last: rows that were purged while they were read would be a list that is too short.
  const [scans, deletion_state] = await Promise.all([
    Promise.all(
      sboms.map(({ digest }) => {
        const query = { digest, packages: null };
        return snapshot === undefined
          ? deps.scans.readNow(query)
          : deps.scans.readAt(query, snapshot);
      }),
    ),
    Promise.all(sbomVersions.map((sbomVersion) => deps.deletion_state.isDeleted(sbomVersion))),
  ]);
  if (deletion_state.includes(true)) throw new AppError('sbom_not_found');
  const placeOf = placesIn(stored.vulnerabilities);
  return scans.map((scan) => placed(scan, placeOf));
}

/** One part in the process at a time: this bounds the memory that readers take. */
const turn = 'a part of a large answer';

async function* placeInParts(
  deps: ListSbomVulnerabilitiesDeps,
  { service_id, sboms }: SbomsToPlace,
): AsyncGenerator<PlacedFindings[]> {
  const digests = sboms.map(({ digest }) => digest);
  const { packageCounts, vulnerabilitiesRead } = deps.states;
  const also = {
    vulnerabilities: await packageCounts(service_id),
    most: vulnerabilitiesRead,
    onlyFound: true as const,
  };
  const { parts } = await partsOf(deps.request, digests, also);
  for (const packages of parts) {
    const found = await deps.withKey(turn, () =>
      placePart(deps, { service_id, digests, packages }),
    );
    const sbomVersions = await Promise.all(
      sboms.map(({ sbom_id }) => sbomVersionOf(deps, sbom_id)),
    );
    const deletion_state = await Promise.all(
      sbomVersions.map((sbomVersion) => deps.deletion_state.isDeleted(sbomVersion)),
    );
    if (deletion_state.includes(true)) throw new AppError('sbom_not_found');
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
    const state = await deps.states.state(service_id);
    if (state === 'deletion_state') throw new AppError('sbom_not_found');
    const placeOf = placesIn(
      await deps.states.vulnerabilities({ serviceId: service_id, state }, packages),
    );
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
  const untracked = observations.length - found.length;
  return { placed: briefRecords(found), untracked, revision };
}

async function sbomVersionOf(
  { states }: { states: Pick<ServiceStateStore, 'sbomVersion'> },
  sbomId: string,
): Promise<Exclude<SbomVersionDocument, { removed: true }>> {
  const sbomVersion = await states.sbomVersion(sbomId);
  if (!sbomVersion) throw new AppError('service_unavailable', 'The SBOM is not in the lists yet.');
  if ('removed' in sbomVersion) throw new AppError('sbom_not_found');
  return sbomVersion;
}
