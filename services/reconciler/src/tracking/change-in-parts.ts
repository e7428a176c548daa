import { setTimeout as sleep } from 'node:timers/promises';
import { computeVulnerabilities } from './compute-vulnerabilities';
import type { Basis } from './domain/add-version';
import { retained } from './domain/expired-versions';
import { partsOf } from './large-scans';
import { onlyAcceptances, type Plan, type VersionsChange } from './plan';
import type { ChangeOutcome, SaveOutcome } from './ports';
import type { PendingUpdates } from './store/documents';
import {
  changedIn,
  isCurrent,
  loadService,
  saveComputed,
  versionWrites,
  type ChangeDeps,
  type Loaded,
} from './stored-service';
import type { Service } from './domain/types';

export interface ChangeInPartsDeps extends ChangeDeps {
  /** Changes the service by a plan for some of its packages. */
  changePart(part: Plan): Promise<ChangeOutcome>;
}

/** Versions just appended, and what the vulnerabilities were based on before. */
interface Appended {
  /** As of the pending updates. */
  began: number;
  adding: NonNullable<VersionsChange['adding']>;
  basis: Basis;
}

/** One part at a time in the process, to bound memory. */
const partKey = 'a part of a large change';
/** After each part, the process pauses as long as the part took, at most this long. */
const longestRestMs = 1_000;

/** Runs a part of a large change. */
export async function runPart<Result>(
  { withKey }: Pick<ChangeDeps, 'withKey'>,
  work: () => Promise<Result>,
): Promise<Result> {
  return withKey(partKey, async () => {
    const begin = performance.now();
    const result = await work();
    await sleep(Math.min(longestRestMs, performance.now() - begin));
    return result;
  });
}

/**
 * Changes a service whose findings or vulnerabilities do not fit into memory. Packages are independent of each other:
 * first the SBOM versions are changed and the service state records pending updates, then the packages are brought up to
 * date one part after the other (ADR 0035). A change of some packages, or of acceptances, becomes several smaller ones.
 */
export async function changeInParts(
  deps: ChangeInPartsDeps,
  loaded: Loaded,
  plan: Plan,
): Promise<'changed' | 'lost' | 'deleted'> {
  const change = await plan.next(loaded.state, true);
  if (!change || change.packages) return changeEach(deps, loaded, plan);
  const { adding = [], removing = [], absent = [], recompute } = change;
  const { basis } = loaded;
  const isNewest = (seq: number): boolean => basis.head === null || seq > basis.head.seq;
  const head = adding.at(-1)?.sbomVersion ?? basis.head;
  const begun = {
    before: [],
    after: {
      ...basis,
      head: head && isNewest(head.seq) ? head : basis.head,
      packageRevisions: undefined,
      findingsHash: null,
      vulnerabilities: [],
    },
  };
  const began = loaded.state?.version ?? 0;
  const pendingUpdates = { began, removing: [...removing] };
  const also = { ...versionWrites(loaded, { adding, absent }), pendingUpdates };
  const saved = await saveComputed(deps, loaded, { ...begun, also });
  if (saved === 'lost' || saved === 'deleted') return saved;
  const isAppended =
    !recompute &&
    removing.length === 0 &&
    adding.every(({ sbomVersion }) => isNewest(sbomVersion.seq));
  const appended = isAppended
    ? { began, adding, basis: { ...basis, findingsHash: null } }
    : undefined;
  const end = await finishInParts(deps, loaded, appended);
  return end === 'deleted' ? end : 'changed';
}

/** Applies a plan to one part of its packages after the other. */
async function changeEach(
  deps: ChangeInPartsDeps,
  { service_id }: Service,
  plan: Plan,
): Promise<'changed' | 'deleted'> {
  const counts = await deps.states.packageCounts(service_id);
  const scope = plan.packages && new Map(plan.packages.map((key) => [key, counts.get(key) ?? 0]));
  const also = { vulnerabilities: scope ?? counts, most: deps.states.vulnerabilitiesRead };
  const { parts } = await partsOf(deps.request, [], also);
  for (const packages of parts) {
    const part: Plan = {
      packages,
      isPart: true,
      async next(state, isLarge) {
        const change = await plan.next(state, isLarge);
        return change?.packages ? { ...change, packages } : change;
      },
    };
    if ((await deps.changePart(part)) === 'deleted') return 'deleted';
  }
  return 'changed';
}

/** Completes pending updates of a service, part by part. Continues where another process stopped. */
export async function finishInParts(
  deps: ChangeInPartsDeps,
  service: Service,
  appended?: Appended,
): Promise<'finished' | 'deleted'> {
  let hint = appended;
  for (;;) {
    const loaded = await loadService(deps, service);
    if (loaded === 'deleted') return loaded;
    const pending = loaded.state?.pending_updates;
    if (!pending) return 'finished';
    const isOwn = hint !== undefined && hint.began === pending.began;
    const end = await finishOnce(deps, loaded, { pending, appended: isOwn ? hint : undefined });
    if (end === 'deleted') return end;
    hint = undefined;
    if (end === 'lost') continue;
    const now = await deps.states.state(service.service_id);
    const { version = 0 } = (now === 'deleted' ? null : now) ?? loaded.state ?? {};
    if (await isCurrent(deps, loaded, version)) return 'finished';
    const again = await changeEach(deps, service, onlyAcceptances());
    return again === 'deleted' ? again : 'finished';
  }
}

/** Pending updates, and what is known of them if this process began them. */
interface Begun {
  pending: Pick<PendingUpdates, 'began' | 'removing'>;
  appended: Appended | undefined;
}

/** `lost` if another process completed them, whatever is pending now. */
async function finishOnce(deps: ChangeDeps, service: Service, begun: Begun): Promise<SaveOutcome> {
  const { service_id } = service;
  const { pending, appended } = begun;
  const { removing } = pending;
  const stored = await deps.states.sbomVersions(service_id);
  const versions = stored.filter(({ sbom_id }) => !removing.includes(sbom_id));
  const read = retained(appended?.adding.map(({ sbomVersion }) => sbomVersion) ?? versions);
  const vulnerabilities = await deps.states.packageCounts(service_id);
  const counted = { vulnerabilities, most: deps.states.vulnerabilitiesRead };
  const { parts, revision } = await partsOf(
    deps.request,
    read.map(({ digest }) => digest),
    counted,
  );
  const revisions = [revision];
  for (const packages of parts) {
    const end = await runPart(deps, () => finishPart(deps, service, { packages, ...begun }));
    if (typeof end === 'string') return end;
    revisions.push(...end);
  }
  const last = await loadService(deps, service);
  if (last === 'deleted') return last;
  if (!isPending(last.state, pending)) return 'lost';
  const after = {
    head: versions.at(-1) ?? null,
    revision: revisions.reduce((a, b) => Math.min(a, b)),
    newest: revisions.reduce((a, b) => Math.max(a, b)),
    findingsHash: null,
    vulnerabilities: [],
  };
  const also = versionWrites(service, { removing });
  const saved = await saveComputed(deps, last, { before: [], after, also });
  return saved === 'unchanged' ? 'saved' : saved;
}

/** Writes the vulnerabilities of some packages; returns the advisory revisions that they are based on. */
async function finishPart(
  deps: ChangeDeps,
  service: Service,
  { packages, pending, appended }: Begun & { packages: readonly string[] },
): Promise<number[] | 'lost' | 'deleted'> {
  const { removing } = pending;
  const loaded = await loadService(deps, service);
  if (loaded === 'deleted') return loaded;
  const { state } = loaded;
  if (!isPending(state, pending)) return 'lost';
  const change = appended ? { adding: appended.adding } : { removing, recompute: { atLeast: 0 } };
  const basis = appended?.basis ?? loaded.basis;
  const computed = await computeVulnerabilities(deps, { ...loaded, basis }, { change, packages });
  const { revision = 0, newest = 0 } = computed.after;
  const revisions = [revision, newest];
  if (changedIn(computed).length === 0) return revisions;
  const { head, revision: former } = state;
  const also = {
    head,
    revision: former,
    packageRevisions: undefined,
    lastFindings: undefined,
    pendingUpdates: { ...pending, removing: [...removing] },
  };
  const saved = await saveComputed(deps, loaded, { ...computed, also });
  return saved === 'lost' || saved === 'deleted' ? saved : revisions;
}

/** Whether these updates of a service are still pending, and not those of another change. */
function isPending<State extends { pending_updates?: PendingUpdates }>(
  state: State | null,
  { began }: Begun['pending'],
): state is State {
  const now = state?.pending_updates;
  return now !== undefined && now.began === began;
}
