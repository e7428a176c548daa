import { maxChangedPackages } from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import { withAlertPeriods } from '../alert-periods/domain/alert-periods';
import { addVersion, changedPackages } from './domain/add-version';
import type { Basis, TrackedService } from './domain/add-version';
import { assignStatus } from './domain/assign-status';
import { retained } from './domain/expired-versions';
import { withPackageRevisions } from './domain/package-revisions';
import { recompute, type Facts } from './domain/reconcile';
import { refreshSnapshots, removeVersions } from './domain/remove-versions';
import type { ActiveDecision } from './domain/decision-types';
import type { TrackedVulnerability } from './domain/types';
import type { VersionsChange } from './plan';
import type { ServiceStates } from './ports';
import { readScans, type ScanReader } from './scan-reader';
import type { ServiceStateDocument } from './store/documents';

/** A service as it was loaded for a change. */
export interface LoadedService {
  service_id: string;
  state: ServiceStateDocument | null;
  basis: Basis;
  /** The active acceptances. */
  acceptances: readonly ActiveDecision[];
  now: string;
}

/** The vulnerabilities that a change concerns. */
export interface Computed {
  before: readonly TrackedVulnerability[];
  after: TrackedService;
}

export interface ComputeDeps {
  states: Pick<ServiceStates, 'vulnerabilities' | 'sbomVersions' | 'seqsAround'>;
  scans: ScanReader;
}

/** What the steps of a computation share. */
interface Computation {
  deps: ComputeDeps;
  facts: Omit<Facts, 'vulnerabilities' | 'observations'>;
  packages: readonly string[] | undefined;
  /** Only the vulnerabilities that adding versions may change (R16) are loaded. */
  isPartial: boolean;
}

/**
 * Loads the vulnerabilities that a change concerns and computes them. Versions are added and removed by themselves where
 * that is exact; otherwise everything is recomputed from all SBOM versions.
 *
 * @param change null: only the acceptances are applied again
 * @param packages limits loading and computing; absent: all
 * @throws TooLargeError if the vulnerabilities or findings do not fit into memory
 */
export async function computeVulnerabilities(
  deps: ComputeDeps,
  loaded: LoadedService,
  { change, packages }: { change: VersionsChange | null; packages?: readonly string[] | undefined },
): Promise<Computed> {
  const { service_id, state, basis, acceptances, now } = loaded;
  const concerned = change ? concernedPackages(basis, change) : undefined;
  const scope = concerned ?? packages;
  const before = await deps.states.vulnerabilities({ serviceId: service_id, state }, scope);
  const isPartial = concerned !== undefined;
  const of = { deps, packages, isPartial, facts: { service_id, acceptances, now, newId } };
  const service = { ...basis, vulnerabilities: before };
  if (change?.adding && !change.recompute) {
    const after = await withVersions(of, service, change.adding);
    if (after) return { before, after };
    // Without a known hash, all vulnerabilities are loaded.
    const toLoadAll = { ...loaded, basis: { ...basis, findingsHash: null } };
    return computeVulnerabilities(deps, toLoadAll, { change, packages });
  }
  const after = change
    ? await withoutVersions(of, service, change)
    : { ...service, vulnerabilities: assignStatus(before, acceptances, { service_id, now }) };
  return { before, after: { ...withPeriods(before, after, now), findingsHash: null } };
}

/** The packages whose vulnerabilities a change may change; undefined: any. */
function concernedPackages(basis: Basis, change: VersionsChange): string[] | undefined {
  const { adding = [], removing = [], recompute } = change;
  if (recompute || removing.length > 0) return undefined;
  const changed = new Set<string>();
  for (const { sbomVersion, scan } of adding) {
    const some = scan && changedPackages(basis, sbomVersion, scan);
    if (!some) return undefined;
    for (const key of some) changed.add(key);
  }
  return [...changed];
}

function withPeriods(
  before: readonly TrackedVulnerability[],
  after: TrackedService,
  now: string,
): TrackedService {
  return {
    ...after,
    vulnerabilities: withAlertPeriods(before, after.vulnerabilities, new Date(now)),
  };
}

/**
 * Adds versions one by one, so that alert periods see each state in between. Null if everything must be recomputed, but
 * not everything is loaded.
 */
async function withVersions(
  of: Computation,
  before: TrackedService,
  adding: NonNullable<VersionsChange['adding']>,
): Promise<TrackedService | null> {
  const { deps, facts, packages = null, isPartial } = of;
  const first = adding[0]?.sbomVersion.seq ?? 0;
  const isLate = before.head !== null && first < before.head.seq;
  const seqs = isLate ? await deps.states.seqsAround(facts.service_id, first) : [];
  let service = before;
  for (const [index, { sbomVersion, scan: read }] of adding.entries()) {
    const { digest, seq } = sbomVersion;
    const scan = read ?? (await deps.scans.read({ digest, packages }));
    const { newest } = service;
    const atLeast = newest === undefined ? 0 : Math.max(newest, scan.revision);
    const added = addVersion(service, { sbomVersion, scan, seqs }, facts);
    if (!added && isPartial) return null;
    const next =
      added ??
      (await recomputed(of, service, {
        adding: adding.slice(0, index + 1),
        recompute: { atLeast },
      }));
    if (isLate) seqs.push(seq);
    seqs.sort((a, b) => a - b);
    service = withPeriods(service.vulnerabilities, next, facts.now);
  }
  return service;
}

/** Removes versions using the vulnerabilities alone; if these are not up to date, everything is recomputed. */
async function withoutVersions(
  of: Computation,
  service: TrackedService,
  change: VersionsChange,
): Promise<TrackedService> {
  const { deps, facts } = of;
  const { removing = [], recompute: isRecomputed } = change;
  if (isRecomputed) return recomputed(of, service, change);
  if (removing.length === 0) return service;
  const sbomVersions = await deps.states.sbomVersions(facts.service_id);
  const removal = removeVersions(service.vulnerabilities, sbomVersions, new Set(removing));
  const digests = [...removal.staleSnapshots.values()].map(({ digest }) => digest);
  const { observations } = await readScans(deps.scans, digests, { atLeast: 0 });
  const { vulnerabilities } = service;
  const state = refreshSnapshots({ ...facts, vulnerabilities, observations }, removal);
  return state ? { ...service, ...state } : recomputed(of, service, change);
}

async function recomputed(
  { deps, facts, packages }: Computation,
  service: TrackedService,
  change: VersionsChange,
): Promise<TrackedService> {
  const { adding = [], removing = [], recompute: from } = change;
  const stored = await deps.states.sbomVersions(facts.service_id);
  const all = [...stored, ...adding.map(({ sbomVersion }) => sbomVersion)];
  const versions = new Map(all.map((sbomVersion) => [sbomVersion.sbom_id, sbomVersion]));
  for (const id of removing) versions.delete(id);
  const left = [...versions.values()];
  const digests = retained(left).map(({ digest }) => digest);
  const atLeast = from?.atLeast ?? 0;
  const { observations, ...read } = await readScans(deps.scans, digests, { atLeast, packages });
  const { vulnerabilities } = service;
  const findingsChange = {
    at: from?.changed_at ?? facts.now,
    added: new Set(adding.map(({ sbomVersion }) => sbomVersion.sbom_id)),
  };
  const known = { ...facts, vulnerabilities, observations, change: findingsChange };
  const state = recompute(known, left);
  const newest = Math.max(service.newest ?? 0, read.newest);
  const { packages: changed } = change;
  if (!changed) {
    const packageRevisions = undefined;
    return { ...state, revision: read.revision, newest, packageRevisions, findingsHash: null };
  }
  const now = { revision: read.revision, packages: [...changed] };
  const { packageRevisions: before } = service;
  const packageRevisions = withPackageRevisions(before, now, maxChangedPackages);
  return { ...state, revision: service.revision, newest, packageRevisions, findingsHash: null };
}
