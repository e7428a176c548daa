import { vulnerabilityChanged } from '@bomtrail/messages';
import { currentTraceparent, type Publish, type KeyedMutex } from '@bomtrail/service-kit';
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
import type { ServicesStates } from '../store/batched-service-state-store';
import { snapshotOf, type StoredService } from '../store/write-changes';
import type { ReadScansDeps } from './service-scans';

/** What changing a line takes. */
export interface ServiceDeps extends ReadScansDeps {
  states: ServicesStates;
  acceptances: Pick<AcceptanceStore, 'epoch' | 'inForce' | 'lapse'>;
  publish: Publish;
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
  shows: string | null;
};

/**
 * The line's new state and what joins its log; null: nothing is to be done. `needs all vulnerabilities`: of a
 * decision over some packages, that these do not suffice.
 */
export type Decision =
  | {
      state: ServiceState;
      /** What takes the place of whatever is in the log under its id. */
      log: SbomVersionDocument[];
      /** Entries that are new, on condition that they are. */
      joins?: readonly SbomVersionDocument[];
      /** States that rows had in between, oldest first, where several SBOMs join. */
      passed?: ReadonlyMap<string, readonly TrackedVulnerability[]>;
      /** The advisory revision that all rows stand on at least. */
      revision: number;
      /** The latest one that any row stands on; absent where none was read. */
      newest?: number;
      /** Packages whose rows stand on a later revision; absent: that is known of none. */
      packageRevisions?: PackageRevisions | undefined;
      /** The findings with which one more SBOM would change no row; absent: not known, or as before. */
      shows?: string;
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
  changeOfVersions?:
    ((state: ServiceStateDocument | null) => Promise<VersionsChange | null>) | undefined;
}

/** What a change does to the log of its line; its rows follow from the log. */
export interface VersionsChange {
  /** Entries that the log does not hold yet. */
  joins: readonly SbomVersionDocument[];
  /** Ids of entries of the log that go. */
  leaving: readonly string[];
  /** Tombstones of what the log never held. */
  tombstones: readonly SbomVersionDocument[];
}

/** `behind`: rows of the line are behind its log, and this decision looks at some of them only. */
export async function changeOnce(
  deps: ServiceDeps,
  at: ServiceToChange,
  decide: Decide,
): Promise<'changed' | 'unchanged' | 'deletion_state' | 'behind'> {
  const service = { service_id: at.service_id, project_id: at.project_id };
  let step = decide;
  let outcome: 'changed' | 'unchanged' = 'unchanged';
  for (;;) {
    const [epoch, state] = await Promise.all([
      deps.acceptances.epoch(service.project_id),
      deps.states.state(service.service_id),
    ]);
    if (state === 'deletion_state') return 'deletion_state';
    if (state?.pending_updates && !(at.isWhole && step === decide)) return 'behind';
    const inForce = await acceptancesInForce(deps, service.project_id, epoch);
    if (inForce === 'lapsed') continue;
    const { acceptances, now } = inForce;
    const shows = snapshotOf(state);
    const facts = {
      service_id: service.service_id,
      acceptances: acceptances.map(activeDecision),
      now: now.toISOString(),
      newId,
      shows: shows && shows.epoch === epoch ? shows.findings : null,
    };
    const { stored, decision } = await decideOver(deps, { at, state, facts }, step);
    if (!decision) return outcome;
    const before = new Map(
      stored.vulnerabilities.map((vulnerability) => [vulnerability.id, vulnerability]),
    );
    const { passed } = decision;
    const vulnerabilities = decision.state.vulnerabilities.filter(
      (vulnerability) =>
        passed?.has(vulnerability.id) || !sameValue(before.get(vulnerability.id), vulnerability),
    );
    const change = {
      ...service,
      head: decision.state.head,
      vulnerabilities,
      log: decision.log,
      joins: decision.joins,
      passed,
      revision: decision.revision,
      newest: decision.newest,
      packageRevisions: decision.packageRevisions,
      traceparent: currentTraceparent(),
      shows: decision.shows === undefined ? undefined : { findings: decision.shows, epoch },
    };
    const saved = await deps.states.save(stored, change);
    if (saved === 'deletion_state') return saved;
    if (saved === 'lost') continue;
    // Whoever gives an acceptance from here on finds every row as it is.
    if (vulnerabilities.length === 0) return outcome;
    outcome = 'changed';
    const state_version = (stored.state?.version ?? 0) + 1;
    void deps.publish(vulnerabilityChanged, { ...service, state_version });
    if ((await deps.acceptances.epoch(service.project_id)) === epoch) return outcome;
    step = assignStatusAgain;
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
export async function assignStatusAgain(
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
  return { state: { head, vulnerabilities }, log: [], revision, packageRevisions };
}

/** `lapsed`: some had expired, which is stored now; the line is to be read again. */
export async function acceptancesInForce(
  deps: Pick<ServiceDeps, 'acceptances'>,
  projectId: string,
  epoch: number,
): Promise<{ acceptances: AcceptanceDocument[]; now: Date } | 'lapsed'> {
  const inForce = epoch === 0 ? noAcceptances() : await deps.acceptances.inForce(projectId);
  const { acceptances, now } = inForce;
  const expired = acceptances.filter(({ expires_at }) => expires_at && expires_at <= now);
  if (expired.length === 0) return inForce;
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
