import type { SbomReference } from '@bomtrail/messages';
import type { PackageRevisions } from './domain/package-revisions';
import { retained } from './domain/expired-versions';
import { insertVersion, lateVersion } from './domain/insert-version';
import { append, recompute, type Facts, type ServiceState } from './domain/reconcile';
import { sameValue } from './domain/same-value';
import type { SbomVersion, TrackedVulnerability } from './domain/types';
import { sbomVersionOf } from './store/service-state-store';
import type { StoredService } from './store/write-changes';
import type { ServiceDeps, ServiceFacts } from './change-once';
import { scansOf, type ReadScansDeps } from './service-scans';
import type { ScanResult } from './read-scans';

/** A service in memory while uploads are applied one after the other. */
export interface WorkingState {
  head: SbomVersion | null;
  vulnerabilities: readonly TrackedVulnerability[];
  /** The facts for the decision, with the stored vulnerabilities. */
  facts: ServiceFacts;
  /** Whether all vulnerabilities are loaded. */
  isWhole: boolean;
  /** Sequence numbers of versions around late ones; empty if none is late. */
  seqs: readonly number[];
  /** Versions added so far. */
  added: readonly SbomVersion[];
  /** The minimum advisory revision of all vulnerabilities; absent: there are none. */
  revision: number | undefined;
  /** The maximum advisory revision; absent: unknown. */
  newest: number | undefined;
  packageRevisions: PackageRevisions | undefined;
  /** Hash of the findings with which another SBOM changes nothing; null if unknown. */
  findingsHash: string | null;
  /** States between the stored and the current one, oldest first. */
  intermediateStates: ReadonlyMap<string, readonly TrackedVulnerability[]>;
}

/** The stored service as a working state. */
export function initialState(
  stored: StoredService,
  facts: ServiceFacts,
  at: Pick<WorkingState, 'seqs' | 'isWhole'>,
): WorkingState {
  const { head = null, revision, max_revision, package_revisions } = stored.state ?? {};
  return {
    head,
    vulnerabilities: stored.vulnerabilities,
    facts,
    ...at,
    added: [],
    revision,
    newest: max_revision,
    packageRevisions: package_revisions,
    findingsHash: facts.findingsHash,
    intermediateStates: new Map(),
  };
}

/** Applies one upload, whose findings are read. `needs all vulnerabilities`: those loaded do not suffice. */
export async function applyUpload(
  deps: ServiceDeps & ReadScansDeps,
  state: WorkingState,
  { scan, read }: { scan: SbomReference; read: ScanResult },
): Promise<WorkingState | 'needs all vulnerabilities'> {
  const { head } = state;
  const sbomVersion = sbomVersionOf(scan);
  const added = [...state.added, sbomVersion];
  const isNext = head === null || sbomVersion.seq > head.seq;
  const findingsHash = isNext ? read.findingsHash() : state.findingsHash;
  const { packageRevisions } = state;
  const rest = {
    added,
    seqs: state.seqs.length > 0 ? inOrder([...state.seqs, sbomVersion.seq]) : [],
    findingsHash,
    revision: Math.min(state.revision ?? read.revision, read.revision),
    newest: Math.max(state.newest ?? 0, read.revision),
    packageRevisions:
      packageRevisions && read.revision >= packageRevisions.revision ? packageRevisions : undefined,
  };
  if (isNext && state.findingsHash === findingsHash)
    return { ...state, ...rest, head: sbomVersion };
  if (!state.isWhole) return 'needs all vulnerabilities';
  const observations = new Map([[scan.digest, read.observations]]);
  const facts = { ...state.facts, vulnerabilities: state.vulnerabilities, observations };
  const next = isNext
    ? append(facts, head, sbomVersion)
    : insertLate(facts, head, { sbomVersion, seqs: state.seqs });
  if (next)
    return {
      ...state,
      ...rest,
      ...next,
      intermediateStates: intermediateStatesOf(state, next.vulnerabilities),
    };
  const whole = await recomputed(deps, { ...state, added }, scan);
  return {
    ...state,
    ...rest,
    ...whole,
    intermediateStates: intermediateStatesOf(state, whole.vulnerabilities),
  };
}

function insertLate(
  facts: Facts,
  head: SbomVersion,
  { sbomVersion, seqs }: { sbomVersion: SbomVersion; seqs: readonly number[] },
): ServiceState | null {
  const late = lateVersion(sbomVersion, seqs);
  return late && insertVersion(facts, head, late);
}

/** Recomputes from all versions, with scans no older than what the service reflects. */
async function recomputed(
  deps: ServiceDeps & ReadScansDeps,
  state: WorkingState,
  scan: SbomReference,
) {
  const { facts, vulnerabilities, added, newest } = state;
  const sbomVersions = [...(await deps.states.sbomVersions(scan.service_id)), ...added];
  const digests = retained(sbomVersions).map(({ digest }) => digest);
  const { evaluated_revision: evaluated } = scan;
  const atLeast = evaluated === undefined || newest === undefined ? 0 : Math.max(evaluated, newest);
  const scans = await scansOf(deps, digests, { atLeast });
  const { observations, revision } = scans;
  const change = { at: facts.now, added: new Set(added.map(({ sbom_id }) => sbom_id)) };
  const known = { ...facts, vulnerabilities, observations, change };
  const next = recompute(known, sbomVersions);
  const latest = Math.max(newest ?? 0, scans.newest);
  return { ...next, revision, newest: latest, packageRevisions: undefined, findingsHash: null };
}

/** Records the intermediate states of vulnerabilities, which their alert periods follow from. */
export function intermediateStatesOf(
  {
    facts,
    vulnerabilities: before,
    intermediateStates,
  }: Pick<WorkingState, 'vulnerabilities' | 'intermediateStates'> & {
    facts: Pick<Facts, 'vulnerabilities'>;
  },
  vulnerabilities: readonly TrackedVulnerability[],
): WorkingState['intermediateStates'] {
  const stored = byId(facts.vulnerabilities);
  const known = byId(before);
  const more = new Map(intermediateStates);
  for (const vulnerability of vulnerabilities) {
    const former = known.get(vulnerability.id);
    if (!former || sameValue(former, vulnerability)) continue;
    const states = intermediateStates.get(vulnerability.id) ?? [];
    if (states.length > 0 || !sameValue(stored.get(vulnerability.id), former))
      more.set(vulnerability.id, [...states, former]);
  }
  return more;
}

function byId(vulnerabilities: readonly TrackedVulnerability[]): Map<string, TrackedVulnerability> {
  return new Map(vulnerabilities.map((vulnerability) => [vulnerability.id, vulnerability]));
}

function inOrder(seqs: number[]): number[] {
  return seqs.sort((a, b) => a - b);
}
