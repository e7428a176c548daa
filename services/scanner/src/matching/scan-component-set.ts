import { AppError } from '@bomtrail/messages';
import type { StampedCache } from '../cache/stamped-cache';
import { summariseSet, type ResolvedSet, type SetSummary } from './domain/component-set';
import type { ComponentNameStore } from './store/component-name-store';
import type { ComponentSetStore } from './store/component-set-store';
import type { PackageVersionStore } from './store/package-version-store';
import type { SetEvaluation } from './store/set-documents';
import type { EvaluatedSet } from './store/set-evaluations';
import { isApplied, type FeedState } from '../feeds/domain/feed-state';
import type { FeedStateStore } from '../feeds/store/feed-state-store';
import { assessVersions, type Assessed, type AssessVersionsDeps } from './assess-versions';
import { withResolvedSet, type ResolveComponentsDeps } from './resolve-components';

/** Why a set is evaluated: an upload, an advisory change, or a change of the matching rules. */
export type EvaluationCause = 'upload' | 'change' | 'rules';

export interface ScanDeps extends AssessVersionsDeps, ResolveComponentsDeps {
  versions: PackageVersionStore;
  feed: FeedStateStore;
  sets: ComponentSetStore;
  names: ComponentNameStore;
  /** Saved sets, at the stamp of that time. */
  setCache: StampedCache<EvaluatedSet>;
  /**
   * Records the ecosystems of the set; rejects with `FeedsAwaited` when an upload has to wait for a
   * first load.
   */
  requireFeeds(set: ResolvedSet, cause: EvaluationCause, state: FeedState): Promise<void>;
  countSet(cause: EvaluationCause, summary: SetSummary): void;
}

/** Advisory changes during one scan before it is left to a redelivery. */
const maxRounds = 20;

/**
 * Evaluates a component set by the current rules, unless that was done before. Of concurrent scans
 * of one set only the first evaluates it.
 * Races with feeds: a scan writes the index "package version → set" and assesses the package
 * versions, then reads the revision. A feed commits its revision, then reads the index. Whichever
 * comes second sees the other. If the revision changed, the scan assesses again; it never
 * overwrites the summary of a later revision. Of first scans in several processes the first summary
 * stays: whoever reads it hears of the changes after it.
 *
 * @returns the revision for which the stored summary is valid; not below the one that
 *   `read-findings` returned before the call
 * @throws AppError `service_unavailable` while no advisories are loaded, `sbom_not_found` when
 *   ingest does not have the components; FeedsAwaited while the first load of its advisories is
 *   pending
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
 * Evaluates a set again, and deletes it when ingest no longer has it. Rescans are requested after
 * every advisory change, and after a change of the rules if the result differs.
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
 * Deletes a set that ingest does not have; false when ingest has it again, then it is evaluated.
 *
 * @throws AppError `service_unavailable` when the advisories or the set keep changing
 */
export async function deleteSet(deps: ScanDeps, digest: string): Promise<boolean> {
  const evaluation = await evaluationOf(deps, digest);
  // If the set is uploaded again now, either the request finds it or its scan starts after the
  // deletion mark.
  const released = await deps.sets.beginDeletion(digest);
  if (await evaluateIfStored(deps, { digest, cause: 'change', ...evaluation })) return false;
  await deps.sets.remove(released);
  return true;
}

interface EvaluationTask {
  digest: string;
  cause: EvaluationCause;
  evaluation: SetEvaluation['is'];
  /** Read before the package versions are assessed. */
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

/** False when ingest does not have the components. */
async function evaluateIfStored(deps: ScanDeps, set: EvaluationTask): Promise<boolean> {
  try {
    await evaluateSet(deps, set);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'sbom_not_found') return false;
    throw error;
  }
}

/** Returns the revision of the evaluation, of another process if that was the first. */
async function evaluateSet(deps: ScanDeps, set: EvaluationTask): Promise<number> {
  const { digest, cause } = set;
  return withResolvedSet(deps, digest, async (resolved) => {
    await deps.requireFeeds(resolved, cause, set.state);
    if (set.state.data === 'none') {
      throw new AppError(
        'service_unavailable',
        'No advisories are loaded yet; the scan will be retried.',
      );
    }
    const indexed = index(deps, digest, resolved);
    let { state, evaluation } = set;
    for (let round = 0; round < maxRounds; round += 1) {
      const [assessed] = await Promise.all([
        assessVersions(deps, resolved.versions, state),
        indexed,
      ]);
      const now = await deps.feed.read();
      const isRight = now.revision === state.revision;
      state = now;
      if (!isRight) continue;
      if (await save(deps, { digest, cause, evaluation, state }, { resolved, assessed })) {
        if (evaluation === 'older') await deps.sets.removeMembersOfOtherRules(digest);
        return state.revision;
      }
      if (evaluation !== 'none' || cause === 'change') continue;
      const stored = await deps.sets.readEvaluation(digest);
      if (stored.is === 'current') return Math.max(stored.revision, state.applied_revision);
      evaluation = stored.is;
    }
    throw new AppError(
      'service_unavailable',
      'The advisories keep changing; the scan will be retried.',
    );
  });
}

/** From now on changes of its package versions affect the set. */
async function index(deps: ScanDeps, digest: string, resolved: ResolvedSet): Promise<void> {
  await deps.names.store(resolved.names.values());
  await deps.sets.addMembers(digest, [...resolved.versions.keys(), ...resolved.names.keys()]);
}

/** False when a later revision is stored, or of a first evaluation when there is another one. */
async function save(
  deps: ScanDeps,
  { digest, cause, evaluation, state }: EvaluationTask,
  { resolved, assessed }: { resolved: ResolvedSet; assessed: Assessed },
): Promise<boolean> {
  for (const one of assessed.fresh) deps.versionCache.set(state.stamp, one._id, one);
  const before = evaluation === 'older' ? await deps.sets.read(digest) : null;
  const summary = summariseSet(resolved, assessed.assessments);
  const isOther = before !== null && mayDiffer(before, { summary, since: assessed.since, state });
  const { revision, stamp } = state;
  const change = cause === 'change' || isOther;
  const at = { revision, change, isFirst: evaluation === 'none' && !change };
  if (!(await deps.sets.save(digest, summary, at))) return false;
  deps.setCache.set(stamp, digest, { digest, revision, ...summary, isCurrent: true });
  deps.countSet(cause, summary);
  return true;
}

/**
 * Whether findings may differ from those of the older rules: another result, changed matches, or
 * advisories of a revision that is not applied, which will pass over a set evaluated at it.
 */
function mayDiffer(
  before: EvaluatedSet,
  now: { summary: SetSummary; since: number; state: FeedState },
): boolean {
  const { matched, counts } = before;
  return (
    (!isApplied(now.state) && now.summary.matched.length > 0) ||
    now.since >= (now.state.rules_revision ?? 0) ||
    JSON.stringify({ matched, counts }) !== JSON.stringify(now.summary)
  );
}
