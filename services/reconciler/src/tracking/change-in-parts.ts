import { setTimeout as sleep } from 'node:timers/promises';
import { vulnerabilityChanged } from '@bomtrail/messages';
import { currentTraceparent } from '@bomtrail/telemetry';
import { v7 as newId } from 'uuid';
import { retained } from './domain/expired-versions';
import { append, recompute, type Facts } from './domain/reconcile';
import { sameValue } from './domain/same-value';
import { TooLargeError } from './domain/too-large-error';
import type { SbomVersion, Observation, TrackedVulnerability } from './domain/types';
import type { ServiceStateDocument, SbomVersionDocument } from './store/documents';
import { toSbomVersions, type SaveOutcome } from './store/service-state-store';
import {
  activeAcceptances,
  changeOnce,
  activeDecision,
  reassignStatuses,
  type Decide,
  type ServiceDeps,
  type ServiceToChange,
  type VersionsChange,
} from './change-once';
import { intermediateStatesOf } from './working-state';
import { partsOf } from './read-finding-pages';
import { readFolded } from './read-scans';

type Service = Pick<ServiceToChange, 'service_id' | 'project_id'>;

/** Versions just appended; vulnerabilities were up to date with `head` before. */
interface Appended {
  head: SbomVersion | null;
  sbomVersions: readonly SbomVersion[];
}

/** One part at a time in the process, to bound memory. */
const partKey = 'a part of a large change';
/** After each part, the process pauses as long as the part took, at most this long. */
const longestRestMs = 1_000;

/**
 * Changes a service whose findings or vulnerabilities do not fit into memory. Packages are independent of
 * each other: first the SBOM versions are changed and the service state records pending updates, then the
 * packages are brought up to date one part after the other (ADR 0035). A change that concerns some packages,
 * or only acceptances, becomes several smaller ones.
 */
export async function changeInParts(
  deps: ServiceDeps,
  at: ServiceToChange,
  decide: Decide,
): Promise<'changed' | 'deleted'> {
  const { service_id, project_id, packages } = at;
  if (packages && packages.length > 0) {
    const outcome = await changeEach(deps, at, decide).catch((error: unknown) => {
      // The decision needs more than some packages.
      if (error instanceof TooLargeError && at.versionsChange) return null;
      throw error;
    });
    if (outcome) return outcome;
  }
  for (;;) {
    const state = await deps.states.state(service_id);
    if (state === 'deleted') return state;
    const hasPendingUpdates = state?.pending_updates !== undefined;
    const change = hasPendingUpdates ? null : await at.versionsChange?.(state);
    if (change) {
      const begun = await beginChange(deps, { service_id, project_id }, { state, change });
      if (begun === 'deleted') return begun;
      if (begun === 'lost') continue;
    }
    const appended = change ? appendedBy(state, change) : undefined;
    if ((await finishInParts(deps, at, appended)) === 'deleted') return 'deleted';
    if (hasPendingUpdates) continue;
    // The process that wrote may have ended before it checked the acceptances.
    return change ? 'changed' : changeEach(deps, { service_id, project_id }, reassignStatuses);
  }
}

async function runPart<Result>(deps: ServiceDeps, work: () => Promise<Result>): Promise<Result> {
  return deps.withKey(partKey, async () => {
    const begin = performance.now();
    const result = await work();
    await sleep(Math.min(longestRestMs, performance.now() - begin));
    return result;
  });
}

/** Applies the same decision to one part of the packages after the other. */
async function changeEach(
  deps: ServiceDeps,
  { service_id, project_id, packages }: ServiceToChange,
  decide: Decide,
): Promise<'changed' | 'deleted'> {
  const counts = await deps.states.packageCounts(service_id);
  const scope = packages && new Map(packages.map((key) => [key, counts.get(key) ?? 0]));
  const also = { vulnerabilities: scope ?? counts, most: deps.states.vulnerabilitiesRead };
  const { parts } = await partsOf(deps.request, [], also);
  for (const part of parts) {
    for (;;) {
      const own = { service_id, project_id, packages: part };
      const outcome = await runPart(deps, () => changeOnce(deps, own, decide));
      if (outcome === 'deleted') return outcome;
      if (outcome !== 'pending-updates') break;
      if ((await finishInParts(deps, { service_id, project_id })) === 'deleted') return 'deleted';
    }
  }
  return 'changed';
}

/** Changes the SBOM versions, and records that vulnerabilities are not up to date. */
function beginChange(
  { states }: ServiceDeps,
  { service_id, project_id }: Service,
  { state, change }: { state: ServiceStateDocument | null; change: VersionsChange },
): Promise<SaveOutcome> {
  const { newVersions, removing, tombstones } = change;
  const sbomVersions = [
    ...newVersions.flatMap(toSbomVersions),
    ...(state?.head ? [state.head] : []),
  ];
  return states.save(
    { state, vulnerabilities: [] },
    {
      service_id,
      project_id,
      vulnerabilities: [],
      replacedVersions: tombstones,
      newVersions,
      head: sbomVersions.sort((a, b) => a.seq - b.seq).at(-1) ?? null,
      revision: state?.revision ?? 0,
      pendingUpdates: { removing: [...removing] },
    },
  );
}

/** Undefined if versions are inserted before others or removed: then the vulnerabilities must be recomputed. */
function appendedBy(
  state: ServiceStateDocument | null,
  { newVersions, removing }: VersionsChange,
): Appended | undefined {
  const head = state?.head ?? null;
  const sbomVersions = newVersions.flatMap(toSbomVersions).sort((a, b) => a.seq - b.seq);
  const isNext = sbomVersions.every(({ seq }) => head === null || seq > head.seq);
  return removing.length === 0 && sbomVersions.length > 0 && isNext
    ? { head, sbomVersions }
    : undefined;
}

/** Completes pending updates of a service, part by part. Continues where another process stopped. */
export async function finishInParts(
  deps: ServiceDeps,
  { service_id, project_id }: Service,
  appended?: Appended,
): Promise<'finished' | 'deleted'> {
  const service = { service_id, project_id };
  const epoch = await deps.acceptances.epoch(project_id);
  let hint = appended;
  for (;;) {
    const state = await deps.states.state(service_id);
    if (state === 'deleted') return state;
    if (!state?.pending_updates) return 'finished';
    const outcome = await finishOnce(deps, service, { state, appended: hint });
    if (outcome === 'deleted') return outcome;
    hint = undefined;
    if (outcome === 'lost') continue;
    const now = await deps.states.state(service_id);
    const state_version = now && now !== 'deleted' ? now.version : state.version;
    void deps.publish(vulnerabilityChanged, { ...service, state_version });
    if ((await deps.acceptances.epoch(project_id)) === epoch) return 'finished';
    const again = await changeEach(deps, service, reassignStatuses);
    return again === 'deleted' ? again : 'finished';
  }
}

/** The target of pending updates. */
interface Finishing {
  state: ServiceStateDocument;
  removing: ReadonlySet<string>;
  sbomVersions: readonly SbomVersion[];
  appended: Appended | undefined;
}

async function finishOnce(
  deps: ServiceDeps,
  service: Service,
  from: Pick<Finishing, 'state' | 'appended'>,
): Promise<SaveOutcome> {
  const { service_id } = service;
  const removing = new Set(from.state.pending_updates?.removing);
  const all = await deps.states.sbomVersions(service_id);
  const sbomVersions = all.filter(({ sbom_id }) => !removing.has(sbom_id));
  const digests = retained(from.appended?.sbomVersions ?? sbomVersions).map(({ digest }) => digest);
  const vulnerabilities = await deps.states.packageCounts(service_id);
  const also = { vulnerabilities, most: deps.states.vulnerabilitiesRead };
  const { parts, revision: planned } = await partsOf(deps.request, digests, also);
  const revisions = [planned];
  for (const packages of parts) {
    const part = { ...from, removing, sbomVersions, packages };
    const end = await runPart(deps, () => finishPart(deps, service, part));
    if (typeof end === 'string') return end;
    revisions.push(...end.revisions);
  }
  const state = await deps.states.state(service_id);
  if (state === 'deleted') return state;
  if (!state?.pending_updates) return 'lost';
  const replacedVersions = [...removing].map((_id): SbomVersionDocument => ({
    _id,
    ...service,
    removed: true,
  }));
  const revision = revisions.reduce((a, b) => Math.min(a, b));
  const newest = revisions.reduce((a, b) => Math.max(a, b));
  const head = sbomVersions.at(-1) ?? null;
  const change = { ...service, head, vulnerabilities: [], replacedVersions, revision, newest };
  return deps.states.save({ state, vulnerabilities: [] }, change);
}

/** Writes the vulnerabilities of some packages; returns their advisory revisions. */
async function finishPart(
  deps: ServiceDeps,
  service: Service,
  to: Finishing & { packages: readonly string[] },
): Promise<{ revisions: number[] } | 'lost' | 'deleted'> {
  const { service_id, project_id } = service;
  for (;;) {
    const [epoch, state] = await Promise.all([
      deps.acceptances.epoch(project_id),
      deps.states.state(service_id),
    ]);
    if (state === 'deleted') return state;
    if (!state?.pending_updates) return 'lost';
    const active = await activeAcceptances(deps, project_id, epoch);
    if (active === 'lapsed') continue;
    const vulnerabilities = await deps.states.vulnerabilities(
      { serviceId: service_id, state },
      to.packages,
    );
    const { after, intermediateStates, revisions } = await vulnerabilitiesAfter(deps, to, {
      service_id,
      vulnerabilities,
      acceptances: active.acceptances.map(activeDecision),
      now: active.now.toISOString(),
      newId,
    });
    const before = new Map(
      vulnerabilities.map((vulnerability) => [vulnerability.id, vulnerability]),
    );
    const changed = after.filter(
      (vulnerability) =>
        intermediateStates?.has(vulnerability.id) ||
        !sameValue(before.get(vulnerability.id), vulnerability),
    );
    if (changed.length === 0) return { revisions };
    const saved = await deps.states.save(
      { state, vulnerabilities },
      {
        ...service,
        head: state.head,
        vulnerabilities: changed,
        replacedVersions: [],
        intermediateStates,
        revision: state.revision,
        newest: Math.max(0, ...revisions),
        pendingUpdates: { removing: [...to.removing] },
        traceparent: currentTraceparent(),
      },
    );
    return saved === 'saved' ? { revisions } : saved;
  }
}

interface VulnerabilitiesAfter {
  after: readonly TrackedVulnerability[];
  intermediateStates?: ReadonlyMap<string, readonly TrackedVulnerability[]>;
  /** Advisory revisions of the scans that were read. */
  revisions: number[];
}

async function vulnerabilitiesAfter(
  deps: ServiceDeps,
  { appended, sbomVersions, packages }: Finishing & { packages: readonly string[] },
  facts: Omit<Facts, 'observations'>,
): Promise<VulnerabilitiesAfter> {
  const observations = new Map<string, readonly Observation[]>();
  const revisions: number[] = [];
  const read = async (some: readonly SbomVersion[]): Promise<void> => {
    for (const { digest } of retained(some)) {
      if (observations.has(digest)) continue;
      const { request, details } = deps;
      const scan = await readFolded({ request, storeDetails: details.save }, { digest, packages });
      observations.set(digest, scan.observations);
      revisions.push(scan.revision);
    }
  };
  if (appended) {
    await read(appended.sbomVersions);
    const state = appendAll({ ...facts, observations }, appended);
    if (state) return { ...state, revisions };
  }
  await read(sbomVersions);
  const added = new Set(appended?.sbomVersions.map(({ sbom_id }) => sbom_id));
  const change = { at: facts.now, added };
  const { vulnerabilities: after } = recompute({ ...facts, observations, change }, sbomVersions);
  return { after, revisions };
}

/** Null if identities were reshaped. */
function appendAll(
  facts: Facts,
  { head, sbomVersions }: Appended,
): Omit<VulnerabilitiesAfter, 'revisions'> | null {
  let vulnerabilities = facts.vulnerabilities;
  let intermediateStates: ReadonlyMap<string, readonly TrackedVulnerability[]> = new Map();
  let last = head;
  for (const sbomVersion of sbomVersions) {
    const next = append({ ...facts, vulnerabilities }, last, sbomVersion);
    if (!next) return null;
    intermediateStates = intermediateStatesOf(
      { facts, vulnerabilities, intermediateStates },
      next.vulnerabilities,
    );
    [vulnerabilities, last] = [next.vulnerabilities, sbomVersion];
  }
  return { after: vulnerabilities, intermediateStates };
}
