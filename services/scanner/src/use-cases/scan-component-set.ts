import { AppError } from '@bomtrail/messages';
import type { StampedCache } from '../cache/stamped-cache';
import { summariseSet, type ResolvedSet, type SetSummary } from '../domain/component-set';
import type { ComponentNameStore } from '../store/component-name-store';
import type { ComponentSetStore, EvaluatedSet, SetEvaluation } from '../store/component-set-store';
import type { FeedState, FeedStateStore } from '../store/feed-state-store';
import { assessVersions, type Assessed, type AssessVersionsDeps } from './assess-versions';
import { withResolvedSet, type ResolveComponentsDeps } from './resolve-components';

/** Why a set is evaluated: for an upload, after an advisory change, or because the rules are others now. */
export type EvaluationCause = 'upload' | 'change' | 'rules';

export interface ScanDeps extends AssessVersionsDeps, ResolveComponentsDeps {
  feed: FeedStateStore;
  sets: ComponentSetStore;
  names: ComponentNameStore;
  /** What was saved of sets, at the stamp of that moment. */
  setCache: StampedCache<EvaluatedSet>;
  /** Notes which advisories the set needs; for an upload rejects while their first load is to be awaited. */
  requireFeeds(set: ResolvedSet, cause: EvaluationCause, state: FeedState): Promise<void>;
  countSet(cause: EvaluationCause, summary: SetSummary): void;
}

/** Advisory changes during one scan after which it is left to a later delivery. */
const maxRounds = 20;

/**
 * Makes sure that a component set is evaluated by the rules of today; one that was before costs
 * nothing. Of several scans of one set the first one evaluates it: a large one takes its time, and is
 * asked for again meanwhile.
 *
 * The order closes the race with feeds: first the index "package version → set" is written and the
 * package versions are assessed, then the revision is read. A feed commits its revision first and reads
 * the index then, so whichever comes second sees the other. What was assessed while the revision moved
 * is assessed again, and a set is never saved over what a later revision knows about it.
 *
 * @returns the advisory revision for which what is stored about the set is right: not below the one
 *   that `read-findings` knew it to be right for when this was called
 * @throws AppError `service_unavailable` while no advisories are loaded, `sbom_not_found` when ingest
 *   does not hold the components; FeedsAwaited while the first load of its advisories is to end
 */
export async function scanComponentSet(deps: ScanDeps, digest: string): Promise<number> {
  const check = async () => {
    const [evaluation, state] = await Promise.all([
      deps.sets.readEvaluation(digest),
      deps.feed.read(),
    ]);
    return evaluation.is === 'current'
      ? { revision: Math.max(evaluation.revision, state.applied_revision) }
      : { toDo: { digest, cause: 'upload' as const, evaluation: evaluation.is, state } };
  };
  const first = await check();
  if (!first.toDo) return first.revision;
  return deps.withKey(`set ${digest}`, async (hasWaited) => {
    const now = hasWaited ? await check() : first;
    return now.toDo ? evaluateSet(deps, now.toDo) : now.revision;
  });
}

/**
 * Evaluates a set anew that was evaluated before, and forgets it when ingest does not hold it any
 * more. The others are told of it: after an advisory change always, after a change of the rules when
 * something came out otherwise.
 *
 * @throws AppError `service_unavailable` when the advisories or the set keep changing
 */
export async function evaluateAgain(
  deps: ScanDeps,
  digest: string,
  cause: 'change' | 'rules',
): Promise<void> {
  const evaluation = await evaluationOf(deps, digest);
  if (!(await evaluateIfStored(deps, { digest, cause, ...evaluation })))
    await deleteSet(deps, digest);
}

/**
 * Forgets a set that ingest does not hold; one that it holds again is evaluated instead. False: it is
 * held.
 *
 * @throws AppError `service_unavailable` when the advisories or the set keep changing
 */
export async function deleteSet(deps: ScanDeps, digest: string): Promise<boolean> {
  const evaluation = await evaluationOf(deps, digest);
  // Uploaded again in this moment it is found by the question, or its scan begins after the mark.
  const released = await deps.sets.beginDeletion(digest);
  if (await evaluateIfStored(deps, { digest, cause: 'change', ...evaluation })) return false;
  await deps.sets.remove(released);
  return true;
}

interface EvaluationTask {
  digest: string;
  cause: EvaluationCause;
  evaluation: SetEvaluation['is'];
  /** As it was before anything was done. */
  state: FeedState;
}

async function evaluationOf(
  deps: ScanDeps,
  digest: string,
): Promise<Pick<EvaluationTask, 'evaluation' | 'state'>> {
  const [{ is: evaluation }, state] = await Promise.all([
    deps.sets.readEvaluation(digest),
    deps.feed.read(),
  ]);
  return { evaluation, state };
}

/** False when ingest does not hold the components. */
async function evaluateIfStored(deps: ScanDeps, set: EvaluationTask): Promise<boolean> {
  try {
    await evaluateSet(deps, set);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'sbom_not_found') return false;
    throw error;
  }
}

/** Gives the revision at which it was evaluated. */
async function evaluateSet(deps: ScanDeps, set: EvaluationTask): Promise<number> {
  const { digest, evaluation, cause } = set;
  return withResolvedSet(deps, digest, async (resolved) => {
    await deps.requireFeeds(resolved, cause, set.state);
    if (set.state.data === 'none') {
      throw new AppError('service_unavailable', 'No advisories are loaded yet; it is tried again.');
    }
    const indexed = index(deps, digest, resolved);
    let state = set.state;
    for (let round = 0; round < maxRounds; round += 1) {
      const [assessed] = await Promise.all([
        assessVersions(deps, resolved.versions, state),
        indexed,
      ]);
      const now = await deps.feed.read();
      const isRight = now.revision === state.revision;
      state = now;
      if (!isRight || !(await save(deps, set, { state, resolved, assessed }))) continue;
      if (evaluation === 'older') await deps.sets.removeMembersOfOtherRules(digest);
      return state.revision;
    }
    throw new AppError('service_unavailable', 'The advisories keep changing; it is tried again.');
  });
}

/** From here on a change of what the set holds reaches it. */
async function index(deps: ScanDeps, digest: string, resolved: ResolvedSet): Promise<void> {
  await deps.names.store(resolved.names.values());
  await deps.sets.addMembers(digest, [...resolved.versions.keys(), ...resolved.names.keys()]);
}

/** False when a later revision knows about the set. */
async function save(
  deps: ScanDeps,
  { digest, cause, evaluation }: EvaluationTask,
  { state, resolved, assessed }: { state: FeedState; resolved: ResolvedSet; assessed: Assessed },
): Promise<boolean> {
  for (const one of assessed.fresh) deps.versionCache.set(state.stamp, one._id, one);
  const before = evaluation === 'older' ? await deps.sets.read(digest) : null;
  const summary = summariseSet(resolved, assessed.assessments);
  const isOther =
    before !== null && cameOutOtherwise(before, { summary, since: assessed.since, state });
  const { revision, stamp } = state;
  const at = { revision, change: cause === 'change' || isOther };
  if (!(await deps.sets.save(digest, summary, at))) return false;
  deps.setCache.set(stamp, digest, { digest, revision, ...summary, isCurrent: true });
  deps.countSet(cause, summary);
  return true;
}

/** Whether other rules give something else for a set; what has matches says so itself when these have moved. */
function cameOutOtherwise(
  before: EvaluatedSet,
  now: { summary: SetSummary; since: number; state: FeedState },
): boolean {
  const { matched, counts } = before;
  return (
    now.since >= (now.state.rules_revision ?? 0) ||
    JSON.stringify({ matched, counts }) !== JSON.stringify(now.summary)
  );
}
