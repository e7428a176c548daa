import { vulnerabilityChanged } from '@bomtrail/messages';
import { currentTraceparent, type Announce, type KeyedMutex } from '@bomtrail/service-kit';
import { v7 as newId } from 'uuid';
import type { PackageRevisions } from '../domain/package-revisions';
import { assignStatus } from '../domain/assign-status';
import type { Facts, ServiceState } from '../domain/reconcile';
import { sameValue } from '../domain/same-value';
import type { ActiveDecision, TrackedVulnerability } from '../domain/types';
import type { AcceptanceStore } from '../store/acceptance-store';
import type {
  AcceptanceDocument,
  ServiceStateDocument,
  SbomVersionDocument,
} from '../store/documents';
import type { ServiceStateStore } from '../store/service-state-store';
import type { BatchedStates } from '../store/batched-service-state-store';
import { lastFindingsOf, type StoredService } from '../store/write-changes';
import type { ReadScansDeps } from './service-scans';

/** What changing a line takes. */
export interface ServiceDeps extends ReadScansDeps {
  states: BatchedStates;
  acceptances: Pick<AcceptanceStore, 'epoch' | 'active' | 'lapse'>;
  broadcast: Announce;
  withKey: KeyedMutex;
}

/** The same with all that the stores can do. */
export interface ChangeServiceDeps extends ServiceDeps {
  states: ServiceStateStore;
  acceptances: AcceptanceStore;
}

/** What a decision may look at: everything but the scans, which it brings itself. */
export type ServiceFacts = Omit<Facts, 'observations'> & {
  /** The findings with which one more SBOM changes no row; null: that is not known. */
  findingsHash: string | null;
};

/**
 * The line's new state and what joins its log; null: nothing is to be done. `needs all vulnerabilities`: of a
 * decision over some packages, that these do not suffice.
 */
export type Decision =
  | {
      state: ServiceState;
      /** What takes the place of whatever is in the log under its id. */
      replacedVersions: SbomVersionDocument[];
      /** Entries that are new, on condition that they are. */
      newVersions?: readonly SbomVersionDocument[];
      /** States that rows had in between, oldest first, where several SBOMs join. */
      intermediateStates?: ReadonlyMap<string, readonly TrackedVulnerability[]>;
      /** The advisory revision that all rows stand on at least. */
      revision: number;
      /** The latest one that any row stands on; absent where none was read. */
      newest?: number;
      /** Packages whose rows stand on a later revision; absent: that is known of none. */
      packageRevisions?: PackageRevisions | undefined;
      /** The findings with which one more SBOM would change no row; absent: not known, or as before. */
      findingsHash?: string;
    }
  | 'needs all vulnerabilities'
  | null;

/**
 * A line, and what of it is loaded, decided upon and changed.
 *
 * `packages`: only their rows; all when absent, none when empty, until the decision asks for them.
 * `isWhole`: the decision recomputes the line, whatever is stored of it.
 */
export interface ServiceToChange {
  service_id: string;
  project_id: string;
  packages?: readonly string[] | undefined;
  isWhole?: true;
  /** How the log changes, for a line of which not all can be in memory; absent: it does not. */
  versionsChange?:
    ((state: ServiceStateDocument | null) => Promise<VersionsChange | null>) | undefined;
}

/** What a change does to the log of its line; its rows follow from the log. */
export interface VersionsChange {
  /** Entries that the log does not hold yet. */
  newVersions: readonly SbomVersionDocument[];
  /** Ids of entries of the log that go. */
  removing: readonly string[];
  /** Tombstones of what the log never held. */
  tombstones: readonly SbomVersionDocument[];
}

/** `pendingUpdates`: rows of the line are behind its log, and this decision looks at some of them only. */
export async function changeOnce(
  deps: ServiceDeps,
  at: ServiceToChange,
  decide: Decide,
): Promise<'changed' | 'unchanged' | 'deleted' | 'pending-updates'> {
  const service = { service_id: at.service_id, project_id: at.project_id };
  let step = decide;
  let outcome: 'changed' | 'unchanged' = 'unchanged';
  for (;;) {
    const [epoch, state] = await Promise.all([
      deps.acceptances.epoch(service.project_id),
      deps.states.state(service.service_id),
    ]);
    if (state === 'deleted') return 'deleted';
    if (state?.pending_updates && !(at.isWhole && step === decide)) return 'pending-updates';
    const active = await activeAcceptances(deps, service.project_id, epoch);
    if (active === 'lapsed') continue;
    const { acceptances, now } = active;
    const lastFindings = lastFindingsOf(state);
    const facts = {
      service_id: service.service_id,
      acceptances: acceptances.map(activeDecision),
      now: now.toISOString(),
      newId,
      findingsHash: lastFindings && lastFindings.epoch === epoch ? lastFindings.hash : null,
    };
    const { stored, decision } = await decideOver(deps, { at, state, facts }, step);
    if (!decision) return outcome;
    const before = new Map(
      stored.vulnerabilities.map((vulnerability) => [vulnerability.id, vulnerability]),
    );
    const { intermediateStates } = decision;
    const vulnerabilities = decision.state.vulnerabilities.filter(
      (vulnerability) =>
        intermediateStates?.has(vulnerability.id) ||
        !sameValue(before.get(vulnerability.id), vulnerability),
    );
    const change = {
      ...service,
      head: decision.state.head,
      vulnerabilities,
      replacedVersions: decision.replacedVersions,
      newVersions: decision.newVersions,
      intermediateStates,
      revision: decision.revision,
      newest: decision.newest,
      packageRevisions: decision.packageRevisions,
      traceparent: currentTraceparent(),
      lastFindings:
        decision.findingsHash === undefined ? undefined : { hash: decision.findingsHash, epoch },
    };
    const saved = await deps.states.save(stored, change);
    if (saved === 'deleted') return saved;
    if (saved === 'lost') continue;
    // Whoever gives an acceptance from here on finds every row as it is.
    if (vulnerabilities.length === 0) return outcome;
    outcome = 'changed';
    const state_version = (stored.state?.version ?? 0) + 1;
    void deps.broadcast(vulnerabilityChanged, { ...service, state_version });
    if ((await deps.acceptances.epoch(service.project_id)) === epoch) return outcome;
    step = reassignStatuses;
  }
}

export type Decide = (
  stored: StoredService,
  facts: ServiceFacts,
  packages?: readonly string[],
) => Promise<Decision>;

/** Loads the rows that a decision asks for, and takes it. */
async function decideOver(
  { states }: ServiceDeps,
  service: {
    at: { service_id: string; packages?: readonly string[] | undefined };
    state: ServiceStateDocument | null;
    facts: Omit<ServiceFacts, 'vulnerabilities'>;
  },
  decide: Decide,
): Promise<{ stored: StoredService; decision: Exclude<Decision, string> }> {
  const { at, state, facts } = service;
  for (let packages = at.packages; ; packages = undefined) {
    const vulnerabilities = await states.vulnerabilities(
      { serviceId: at.service_id, state },
      packages,
    );
    const stored = { state, vulnerabilities };
    const decision = await decide(stored, { ...facts, vulnerabilities }, packages);
    if (decision !== 'needs all vulnerabilities') return { stored, decision };
    if (!packages) throw new Error('All rows do not suffice.');
  }
}

/** The decision that only looks at the acceptances: the rows' presence stays as it is. */
export async function reassignStatuses(
  stored: StoredService,
  facts: ServiceFacts,
  packages?: readonly string[],
): Promise<Decision> {
  if (!stored.state) return null;
  if (packages?.length === 0) return 'needs all vulnerabilities';
  const vulnerabilities = assignStatus(stored.vulnerabilities, facts.acceptances, {
    service_id: facts.service_id,
    now: facts.now,
  });
  if (
    vulnerabilities.every((vulnerability, index) => vulnerability === stored.vulnerabilities[index])
  )
    return null;
  const { head, revision, package_revisions: packageRevisions } = stored.state;
  return { state: { head, vulnerabilities }, replacedVersions: [], revision, packageRevisions };
}

/** `lapsed`: some had expired, which is stored now; the line is to be read again. */
export async function activeAcceptances(
  deps: Pick<ServiceDeps, 'acceptances'>,
  projectId: string,
  epoch: number,
): Promise<{ acceptances: AcceptanceDocument[]; now: Date } | 'lapsed'> {
  const active = epoch === 0 ? noAcceptances() : await deps.acceptances.active(projectId);
  const { acceptances, now } = active;
  const expired = acceptances.filter(({ expires_at }) => expires_at && expires_at <= now);
  if (expired.length === 0) return active;
  // A stored fact before any row shows it: no other process takes them for valid afterwards.
  const ids = expired.map(({ _id }) => _id);
  await deps.acceptances.lapse(projectId, ids);
  return 'lapsed';
}

function noAcceptances(): { acceptances: AcceptanceDocument[]; now: Date } {
  return { acceptances: [], now: new Date() };
}

/** An acceptance as the rules read it. */
export function activeDecision(acceptance: AcceptanceDocument): ActiveDecision {
  return {
    identity: acceptance.identity,
    service_id: acceptance.service_id,
    expires_at: acceptance.expires_at?.toISOString() ?? null,
  };
}
