import { vulnerabilityChanged } from '@bomtrail/messages';
import type { KeyedMutex } from '@bomtrail/concurrency';
import type { Publish, Request } from '@bomtrail/messaging';
import { currentTraceparent } from '@bomtrail/telemetry';
import type { OwnedRules } from '../decisions/owned-rules';
import { activeDecision } from '../decisions/store/decision-mapping';
import { sameValue } from './domain/same-value';
import type { TrackedVulnerability, Service } from './domain/types';
import type { Computed, LoadedService } from './compute-vulnerabilities';
import type { VersionsChange } from './plan';
import type { Acceptances, SaveOutcome, ServiceStates } from './ports';
import type { ScanReader } from './scan-reader';
import type { SbomVersionDocument } from './store/documents';
import { lastFindingsOf, type ServiceChange } from './store/write-changes';

/** Dependencies for changing a service. */
export interface ChangeDeps {
  states: ServiceStates;
  acceptances: Acceptances;
  ownedRules: OwnedRules;
  scans: ScanReader;
  request: Request;
  publish: Publish;
  withKey: KeyedMutex;
}

/** A service as stored, with the acceptances. */
export interface Loaded extends LoadedService, Service {
  /** The epoch of the acceptances. */
  epoch: number;
  /** VEX documents may decide in its project. */
  hasVex: boolean;
}

/** Loads the service state and the active acceptances; records expired ones first. */
export async function loadService(deps: ChangeDeps, service: Service): Promise<Loaded | 'deleted'> {
  const { service_id, project_id } = service;
  for (;;) {
    const [{ epoch, hasVex }, state] = await Promise.all([
      deps.acceptances.epoch(project_id),
      deps.states.state(service_id),
    ]);
    if (state === 'deleted') return state;
    // A new service may be one of an owner whose rules decide about it from its first SBOM on.
    if (!state && epoch > 0 && (await deps.ownedRules.follow(project_id))) continue;
    const { acceptances, now } =
      epoch === 0
        ? { acceptances: [], now: new Date() }
        : await deps.acceptances.active({ project_id, service_id });
    const expired = acceptances.filter(({ expires_at }) => expires_at && expires_at <= now);
    if (expired.length > 0) {
      // Record it before any vulnerability shows it, so that no other process considers them active afterwards.
      const ids = expired.map(({ _id }) => _id);
      await deps.acceptances.lapse(ids);
      continue;
    }
    const { head = null, revision, max_revision, package_revisions } = state ?? {};
    const last = lastFindingsOf(state);
    const basis = {
      head,
      revision,
      newest: max_revision,
      packageRevisions: package_revisions,
      findingsHash: last?.epoch === epoch ? last.hash : null,
    };
    const decisions = acceptances.map(activeDecision);
    return {
      service_id,
      project_id,
      state,
      epoch,
      hasVex,
      basis,
      acceptances: decisions,
      now: now.toISOString(),
    };
  }
}

/** The SBOM versions and tombstones that a change writes. */
export function versionWrites(
  { service_id, project_id }: Service,
  { adding = [], removing = [], absent = [] }: VersionsChange,
): { newVersions: SbomVersionDocument[]; replacedVersions: SbomVersionDocument[] } {
  const own = { service_id, project_id };
  return {
    newVersions: adding.map(({ sbomVersion: { sbom_id: _id, ...rest } }) => ({
      _id,
      ...own,
      ...rest,
    })),
    replacedVersions: [...removing, ...absent].map((_id) => ({ _id, ...own, removed: true })),
  };
}

/** Computed vulnerabilities with what else is saved. */
export interface ToSave extends Computed {
  /** Ids of vulnerabilities to be written even if they are unchanged. */
  rewritten?: ReadonlySet<string>;
  /** Replaces what follows from the vulnerabilities. */
  also?: Partial<ServiceChange>;
}

/** Saves what was computed; `unchanged`: saved, but no vulnerability has changed. */
export async function saveComputed(
  deps: ChangeDeps,
  loaded: Loaded,
  computed: ToSave,
): Promise<SaveOutcome | 'unchanged'> {
  const { service_id, project_id, state, epoch } = loaded;
  const { before, after } = computed;
  const vulnerabilities = changedIn(computed);
  const { head, revision = 0, newest, packageRevisions, findingsHash } = after;
  const change = {
    service_id,
    project_id,
    head,
    revision,
    newest,
    packageRevisions,
    vulnerabilities,
    replacedVersions: [],
    traceparent: currentTraceparent(),
    lastFindings: findingsHash === null ? undefined : { hash: findingsHash, epoch },
    ...computed.also,
  };
  const saved = await deps.states.save({ state, vulnerabilities: [...before] }, change);
  return saved === 'saved' && vulnerabilities.length === 0 ? 'unchanged' : saved;
}

/** The vulnerabilities that a change must write. */
export function changedIn({ before, after, rewritten }: ToSave): TrackedVulnerability[] {
  const former = new Map(before.map((vulnerability) => [vulnerability.id, vulnerability]));
  return after.vulnerabilities.filter(
    (one) => rewritten?.has(one.id) || !sameValue(former.get(one.id), one),
  );
}

/** Publishes a change of vulnerabilities; false if the acceptances have changed since the service was loaded. */
export async function isCurrent(
  deps: ChangeDeps,
  { service_id, project_id, epoch }: Service & Pick<Loaded, 'epoch'>,
  state_version: number,
): Promise<boolean> {
  // After the read, which otherwise waits for it; also if the read fails.
  const current = await deps.acceptances.epoch(project_id).finally(() => {
    void deps.publish(vulnerabilityChanged, { service_id, project_id, state_version });
  });
  return current.epoch === epoch;
}
