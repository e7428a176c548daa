import {
  AppError,
  type BriefVulnerability,
  type listSbomVulnerabilities as definition,
  type RequestOf,
} from '@bomtrail/messages';
import type { ReadServiceSnapshot } from './store/service-snapshots';
import { briefRecords, type MatchedBrief, type MatchedObservation } from './domain/brief-records';
import { createMatcher } from './domain/match-observations';
import { shownValues, type RiskValues } from '../risk/domain/risk-values';
import type { RiskStore } from '../risk/ports';
import { TooLargeError } from '../tracking/domain/too-large-error';
import type { Observation, TrackedVulnerability } from '../tracking/domain/types';
import type { DetailsStore } from '../tracking/ports';
import { allProjects, type SbomVersionDocument } from '../tracking/store/documents';
import type { StoredService } from '../tracking/store/write-changes';
import type { DeletionStore } from '../deletion/ports';
import type { ServiceStateStore } from '../tracking/store/service-state-store';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';
import { partsOf, retryWhileChanging, readUnfolded } from '../tracking/large-scans';
import type { ReconcileSbomDeps } from '../tracking/reconcile-sbom';
import { includesSeq } from '../tracking/domain/presence';

export type ListSbomVulnerabilitiesDeps = Pick<
  ReconcileSbomDeps,
  'scans' | 'request' | 'withKey'
> & {
  states: Pick<
    ServiceStateStore,
    'sbomVersion' | 'state' | 'vulnerabilities' | 'packageCounts' | 'vulnerabilitiesRead'
  >;
  snapshots: ReadServiceSnapshot;
  deletions: DeletionStore;
  risk: Pick<RiskStore, 'read'>;
  details: Pick<DetailsStore, 'facts'>;
} & LapseExpiredDeps;

/**
 * Lists the vulnerabilities of one SBOM in batches, each vulnerability once, with the versions in this SBOM
 * and its current status in the service, based on the advisories that the lists reflect.
 *
 * @throws AppError `service_unavailable` while the SBOM is not reconciled, so that it never looks clean;
 *   `sbom_not_found` if it or its service was removed
 */
export async function* listSbomVulnerabilities(
  deps: ListSbomVulnerabilitiesDeps,
  { service_id, ...sbom }: RequestOf<typeof definition>,
): AsyncGenerator<BriefVulnerability[]> {
  const query = { service_id, sboms: [sbom], advisories: 'snapshot' as const };
  for await (const [{ matched } = { matched: [] }] of matchFindings(deps, query)) {
    const facts = await deps.details.facts(matched.map(({ details }) => details));
    yield withRisk(deps, matched, ({ brief, details }) => {
      const known = facts.get(details);
      return Object.assign({}, brief, known && { title: known.title, aliases: known.aliases });
    });
  }
}

/** Adds the values of the risk feeds to brief records. */
export async function withRisk<Brief>(
  { risk }: Pick<ListSbomVulnerabilitiesDeps, 'risk'>,
  matched: readonly MatchedBrief[],
  briefOf: (matched: MatchedBrief) => Brief,
): Promise<(Brief & RiskValues)[]> {
  const risks = await risk.read(matched.map(({ details }) => details));
  // Not spread: V8 of Node.js 20 takes ten times as long for a copy with more fields.
  return matched.map((one) => Object.assign({}, briefOf(one), shownValues(risks.get(one.details))));
}

/** The findings of one SBOM, and their advisory revision. */
export interface MatchedFindings {
  /** Each with the status of its vulnerability, and how the alias groups relate. */
  matched: MatchedBrief[];
  /**
   * Findings without a tracked vulnerability that can be listed: the service is about to be brought up to
   * date.
   */
  unplaced: number;
  revision: number;
}

/**
 * Matches the findings of several SBOMs of a service with its vulnerabilities, in order of the SBOMs: all
 * from one snapshot or, if there are too many, in parts by package, each from its own snapshot.
 *
 * @param advisories `snapshot`: those that the lists reflect; `now`: the scanner's current ones, whose
 *   findings may not have a vulnerability yet
 */
export async function* matchFindings(
  deps: ListSbomVulnerabilitiesDeps,
  query: MatchQuery,
): AsyncGenerator<MatchedFindings[]> {
  const whole = await matchAll(deps, query).catch((error: unknown) => {
    if (error instanceof TooLargeError) return null;
    throw error;
  });
  if (whole) yield whole;
  else yield* matchInParts(deps, query);
}

interface MatchQuery {
  service_id: string;
  sboms: readonly { sbom_id: string; digest: string }[];
  advisories: 'snapshot' | 'now';
  /** The statuses of the findings of the first SBOM; default, and of the others: those in the service. */
  decide?: Decide;
}

type Decide = (placed: MatchedObservation[]) => MatchedObservation[];

async function matchAll(
  deps: ListSbomVulnerabilitiesDeps,
  query: MatchQuery,
): Promise<MatchedFindings[]> {
  const { service_id, sboms } = query;
  const sbomIds = sboms.map(({ sbom_id }) => sbom_id);
  for (;;) {
    const stored = await deps.snapshots({ serviceId: service_id, sbomIds });
    if (stored.state === 'deleted') throw new AppError('sbom_not_found');
    const sbomVersions = sbomIds.map((id) => existing(stored.sbomVersions.get(id)));
    const project = sbomVersions[0]?.project_id;
    if (stored.projectsWithDue.some((due) => due === project || due === allProjects)) {
      await lapseExpired(deps, project);
      continue;
    }
    const { state, vulnerabilities } = stored;
    if (!vulnerabilities)
      throw new TooLargeError(`The service ${service_id} has too many vulnerabilities.`);
    return matchStored(deps, query, { sbomVersions, stored: { state, vulnerabilities } });
  }
}

async function matchStored(
  deps: ListSbomVulnerabilitiesDeps,
  { sboms, advisories, decide }: MatchQuery,
  { sbomVersions, stored }: { sbomVersions: readonly StoredVersion[]; stored: StoredService },
): Promise<MatchedFindings[]> {
  const snapshot = advisories === 'snapshot' ? stored.state?.max_revision : undefined;
  const scans = await Promise.all(
    sboms.map(async ({ digest }, index) => {
      const sbomVersion = sbomVersions[index];
      if (sbomVersion?.expired) return sbomVersion.seq;
      return deps.scans.read({ digest, packages: null }, snapshot);
    }),
  );
  const matchOf = createMatcher(stored.vulnerabilities);
  return scans.map((scan, index) =>
    typeof scan === 'number'
      ? matchedExpired(stored.vulnerabilities, scan)
      : matched(scan, matchOf, index === 0 ? decide : undefined),
  );
}

/** One part at a time in the process, to bound memory. */
const partKey = 'a part of a large response';

async function* matchInParts(
  deps: ListSbomVulnerabilitiesDeps,
  { service_id, sboms, decide }: MatchQuery,
): AsyncGenerator<MatchedFindings[]> {
  const all = await Promise.all(sboms.map(({ sbom_id }) => sbomVersionOf(deps, sbom_id)));
  const digests = all.filter(({ expired }) => !expired).map(({ digest }) => digest);
  const { packageCounts, vulnerabilitiesRead } = deps.states;
  const also = {
    vulnerabilities: await packageCounts(service_id),
    most: vulnerabilitiesRead,
    onlyFound: true as const,
  };
  const { parts } = await partsOf(deps.request, digests, also);
  for (const packages of parts) {
    const found = await deps.withKey(partKey, () =>
      matchPart(deps, { service_id, sbomVersions: all, packages, decide }),
    );
    const sbomVersions = await Promise.all(
      sboms.map(({ sbom_id }) => sbomVersionOf(deps, sbom_id)),
    );
    const deleted = await Promise.all(
      sbomVersions.map((sbomVersion) => deps.deletions.isDeleted(sbomVersion)),
    );
    if (deleted.includes(true)) throw new AppError('sbom_not_found');
    yield found;
  }
}

function matchPart(
  deps: ListSbomVulnerabilitiesDeps,
  part: {
    service_id: string;
    sbomVersions: readonly StoredVersion[];
    packages: readonly string[];
    decide: Decide | undefined;
  },
): Promise<MatchedFindings[]> {
  const { service_id, sbomVersions, packages, decide } = part;
  return retryWhileChanging(async () => {
    const state = await deps.states.state(service_id);
    if (state === 'deleted') throw new AppError('sbom_not_found');
    const ofService = { serviceId: service_id, state };
    const vulnerabilities = await deps.states.vulnerabilities(ofService, packages);
    const matchOf = createMatcher(vulnerabilities);
    const all: MatchedFindings[] = [];
    for (const [index, { digest, seq, expired }] of sbomVersions.entries()) {
      if (expired) {
        all.push(matchedExpired(vulnerabilities, seq));
        continue;
      }
      const found = await readUnfolded(deps.request, { digest, packages });
      all.push(matched(found, matchOf, index === 0 ? decide : undefined));
    }
    return all;
  });
}

function matched(
  { observations, revision }: { observations: readonly Observation[]; revision: number },
  matchOf: ReturnType<typeof createMatcher>,
  decide: Decide = (placed) => placed,
): MatchedFindings {
  const found = observations.flatMap((observation) => {
    const match = matchOf(observation);
    return match ? [{ observation, ...match }] : [];
  });
  const unplaced = observations.length - found.length;
  return { matched: briefRecords(decide(found)), unplaced, revision };
}

/** What an expired SBOM contains, as it is stored: its ids count when it is compared with (R19). */
function matchedExpired(
  vulnerabilities: readonly TrackedVulnerability[],
  seq: number,
): MatchedFindings {
  const found = vulnerabilities.flatMap((vulnerability) => {
    const { presence, snapshot, status, package_key } = vulnerability;
    const isIn = presence.some((interval) => includesSeq(interval, seq));
    if (!isIn || !snapshot || status === 'merged' || status === 'vanished') return [];
    const observation = { ...snapshot, package_key, advisory_ids: [] };
    return [{ observation, vulnerability: { ...vulnerability, status }, fit: 'same' as const }];
  });
  const revision = Number.MAX_SAFE_INTEGER;
  return { matched: briefRecords(found), unplaced: 0, revision };
}

/** An SBOM version that is not removed. */
type StoredVersion = Exclude<SbomVersionDocument, { removed: true }>;

/**
 * The version of an SBOM.
 *
 * @throws AppError `service_unavailable` while it is not reconciled; `sbom_not_found` if it was removed
 */
export async function sbomVersionOf(
  { states }: { states: Pick<ServiceStateStore, 'sbomVersion'> },
  sbomId: string,
): Promise<StoredVersion> {
  return existing(await states.sbomVersion(sbomId));
}

/** @throws like `sbomVersionOf` */
function existing(sbomVersion: SbomVersionDocument | null | undefined): StoredVersion {
  if (!sbomVersion) throw new AppError('service_unavailable', 'The SBOM is not reconciled yet.');
  if ('removed' in sbomVersion) throw new AppError('sbom_not_found');
  return sbomVersion;
}
