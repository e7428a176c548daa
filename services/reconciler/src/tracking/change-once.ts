import { vulnerabilityChanged } from '@bomtrail/messages';
import type { KeyedMutex } from '@bomtrail/concurrency';
import type { Publish } from '@bomtrail/messaging';
import { currentTraceparent } from '@bomtrail/telemetry';
import { v7 as newId } from 'uuid';
import type { PackageRevisions } from './domain/package-revisions';
import { assignStatus } from './domain/assign-status';
import type { Facts, ServiceState } from './domain/reconcile';
import { sameValue } from './domain/same-value';
import type { ActiveDecision, TrackedVulnerability } from './domain/types';
import type { AcceptanceStore } from '../decisions/store/acceptance-store';
import type {
  AcceptanceDocument,
  ServiceStateDocument,
  SbomVersionDocument,
} from './store/documents';
import type { ServiceStateStore } from './store/service-state-store';
import type { BatchedStates } from './store/batched-service-state-store';
import { lastFindingsOf, type StoredService } from './store/write-changes';
import type { ReadScansDeps } from './service-scans';

/** Dependencies for changing a service. */
export interface ServiceDeps extends ReadScansDeps {
  states: BatchedStates;
  acceptances: Pick<AcceptanceStore, 'epoch' | 'active' | 'lapse'>;
  publish: Publish;
  withKey: KeyedMutex;
}

/** The same, with complete stores. */
export interface ChangeServiceDeps extends ServiceDeps {
  states: ServiceStateStore;
  acceptances: AcceptanceStore;
}

/** The facts for a decision, without scans, which the decision reads itself. */
export type ServiceFacts = Omit<Facts, 'observations'> & {
  /** Hash of the findings with which another SBOM changes nothing; null if unknown. */
  findingsHash: string | null;
};

/**
 * The new state of a service; null: no change. `needs all vulnerabilities`: the decision was over some
 * packages, which do not suffice.
 */
export type Decision =
  | {
      state: ServiceState;
      /** Versions or tombstones that replace stored ones with the same ids. */
      replacedVersions: SbomVersionDocument[];
      /** Versions that must not be stored yet. */
      newVersions?: readonly SbomVersionDocument[];
      /** Intermediate states of vulnerabilities, oldest first, if several SBOMs are added. */
      intermediateStates?: ReadonlyMap<string, readonly TrackedVulnerability[]>;
      /** The minimum advisory revision of all vulnerabilities. */
      revision: number;
      /** The maximum advisory revision of any vulnerability; absent if no scan was read. */
      newest?: number;
      /** Packages at a later revision; absent: none known. */
      packageRevisions?: PackageRevisions | undefined;
      /** Hash of the findings with which another SBOM would change nothing; absent: unknown or unchanged. */
      findingsHash?: string;
    }
  | 'needs all vulnerabilities'
  | null;

/**
 * A service to change.
 *
 * `packages`: loads these only; default: all; none if empty, until the decision needs them. `isWhole`: the
 * decision recomputes the service, whatever is stored.
 */
export interface ServiceToChange {
  service_id: string;
  project_id: string;
  packages?: readonly string[] | undefined;
  isWhole?: true;
  /** How the SBOM versions change, for a service that does not fit into memory; absent: they do not. */
  versionsChange?:
    ((state: ServiceStateDocument | null) => Promise<VersionsChange | null>) | undefined;
}

/** A change of SBOM versions; the vulnerabilities follow from them. */
export interface VersionsChange {
  /** Versions that are not stored yet. */
  newVersions: readonly SbomVersionDocument[];
  /** Ids of versions to be removed. */
  removing: readonly string[];
  /** Tombstones of SBOMs without a version. */
  tombstones: readonly SbomVersionDocument[];
}

/**
 * Returns `pending-updates` if a service has pending updates and the decision concerns some vulnerabilities
 * only.
 */
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
    // Acceptances created from here on find every vulnerability up to date.
    if (vulnerabilities.length === 0) return outcome;
    outcome = 'changed';
    const state_version = (stored.state?.version ?? 0) + 1;
    void deps.publish(vulnerabilityChanged, { ...service, state_version });
    if ((await deps.acceptances.epoch(service.project_id)) === epoch) return outcome;
    step = reassignStatuses;
  }
}

export type Decide = (
  stored: StoredService,
  facts: ServiceFacts,
  packages?: readonly string[],
) => Promise<Decision>;

/** Loads the vulnerabilities that a decision needs, and makes the decision. */
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
    if (!packages) throw new Error('All vulnerabilities do not suffice.');
  }
}

/** A decision that only re-evaluates the acceptances; presence is unchanged. */
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

/** Returns `lapsed` if some had expired, which is now recorded; the service must be read again. */
export async function activeAcceptances(
  deps: Pick<ServiceDeps, 'acceptances'>,
  projectId: string,
  epoch: number,
): Promise<{ acceptances: AcceptanceDocument[]; now: Date } | 'lapsed'> {
  const active = epoch === 0 ? noAcceptances() : await deps.acceptances.active(projectId);
  const { acceptances, now } = active;
  const expired = acceptances.filter(({ expires_at }) => expires_at && expires_at <= now);
  if (expired.length === 0) return active;
  // Record it before any vulnerability shows it, so that no other process considers them active afterwards.
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
