import { dataOf, supersededStarters } from './domain/feed-verdict';
import { hasAdvisories } from './domain/cve-records-part';
import { isStarterLabel } from './domain/merge-record';
import type { AdvisorySource } from './sources/source';
import { hasCurrentRules, isApplied, type FeedPart, type FeedState } from './domain/feed-state';
import type { FeedStateStore } from './store/feed-state-store';
import { removeVanished, type LoadPartDeps } from './load-part';
import { pollPart, type SourcePoll, type PolledPart } from './poll-part';
import { recordGroupsChangedAt } from './record-changes';
import { regroupAdvisories } from './regroup-advisories';

export interface LoadFeedDeps extends LoadPartDeps {
  feed: FeedStateStore;
}

/** Result of polling a source. */
export interface LoadReport {
  /** Whether a new revision came into force. */
  committed: boolean;
  changed: number;
  /** Failed parts with the reason. */
  failures: { label: string; reason: string }[];
}

/**
 * Polls a source and loads what is new. The caller holds the lease and has applied the revision in
 * force.
 * Changed packages are recorded first, then the advisories, then one update brings the next
 * revision into force. After an interrupted load the recorded packages make the next load commit a
 * revision. A failed part keeps its data.
 *
 * @throws Error when the source cannot be read, the revision in force is not applied, `signal` is
 *   aborted, or another process committed a revision meanwhile
 */
export async function loadFeed(
  deps: LoadFeedDeps,
  source: AdvisorySource,
  signal: AbortSignal,
): Promise<LoadReport> {
  const listed = await source.list(signal);
  if (listed.length === 0)
    throw new Error(`${source.origin} has no folder of an ecosystem (npm, PyPI, Go, …)`);
  const before = await readApplied(deps);
  const load: SourcePoll = {
    origin: source.origin,
    isLive: source.isLive,
    before,
    revision: before.revision + 1,
    hasAssessments: before.data !== 'none',
    signal,
  };
  const polled: PolledPart[] = [];
  for (const part of listed) polled.push(await pollPart(deps, load, part));
  return bringIntoForce(deps, load, polled);
}

/**
 * Removes a part and the advisories that only it has, under the conditions of `loadFeed`. Nothing
 * happens when the part is not stored.
 *
 * @throws Error as `loadFeed`
 */
export async function removePart(
  deps: LoadFeedDeps,
  label: string,
  signal: AbortSignal,
): Promise<LoadReport> {
  const before = await readApplied(deps);
  const parts = before.parts.filter((part) => part.label !== label);
  if (parts.length === before.parts.length) return { committed: false, changed: 0, failures: [] };
  const hasAssessments = before.data !== 'none';
  const load = { before, revision: before.revision + 1, hasAssessments, signal };
  const changed = await removeVanished(deps, { label, ...load }, () => true);
  return finish(deps, load, { parts, changed, failures: [] });
}

async function readApplied(deps: Pick<LoadFeedDeps, 'feed'>): Promise<FeedState> {
  const state = await deps.feed.read();
  // A package has one pending change only; a second one would replace it.
  if (!isApplied(state))
    throw new Error(`the changes of revision ${state.revision} are not applied yet`);
  return state;
}

async function bringIntoForce(
  deps: LoadFeedDeps,
  load: SourcePoll,
  polled: PolledPart[],
): Promise<LoadReport> {
  const { before, revision, hasAssessments, signal } = load;
  const parts = polled.map(({ part }) => part);
  const failures = polled.flatMap(({ part: { label }, failure }) =>
    failure === null ? [] : [{ label, reason: failure }],
  );
  let changed = polled.reduce((sum, one) => sum + one.changed, 0);

  let others = before.parts.filter(({ label }) => !parts.some((part) => part.label === label));
  if (parts.some((part) => hasAdvisories(part) && !isStarterLabel(part.label))) {
    const starters = others.filter(({ label }) => isStarterLabel(label));
    const superseded = supersededStarters(starters, {
      isWhole: !load.isLive,
      polled: parts,
      others,
    });
    for (const { label } of superseded)
      changed += await removeVanished(
        deps,
        { label, revision, hasAssessments, signal },
        () => true,
      );
    others = others.filter((part) => !superseded.includes(part));
  }
  return finish(deps, load, { parts: [...others, ...parts], changed, failures });
}

/** Commits the next revision if anything changed; else only the state of the parts is stored. */
async function finish(
  deps: LoadFeedDeps,
  load: NextRevision,
  { parts, changed, failures }: Omit<LoadReport, 'committed'> & { parts: FeedPart[] },
): Promise<LoadReport> {
  const { before } = load;
  const data = dataOf(parts);
  const next = { data, parts };

  const hasLateComers = await deps.changes.hasLateComers(before.revision);
  const unfinished =
    hasLateComers ||
    (await deps.changes.hasLaterThan(before.revision)) ||
    (await deps.advisories.hasChangedAfter(before.revision));
  const isFirst = before.data === 'none' && data !== 'none';
  if (changed > 0 || unfinished || isFirst) {
    await commitNext(deps, { ...load, hasLateComers }, next);
    return { committed: true, changed, failures };
  }
  await deps.feed.note(before, next);
  return { committed: false, changed, failures };
}

type NextRevision = Pick<SourcePoll, 'before' | 'revision' | 'hasAssessments' | 'signal'>;

/** Updates alias groups, records affected packages and commits the next revision. */
async function commitNext(
  deps: LoadFeedDeps,
  load: NextRevision & { hasLateComers: boolean },
  next: Pick<FeedState, 'data' | 'parts'>,
): Promise<void> {
  const { before, revision, hasAssessments, signal } = load;
  // Groups must also be derived again for changes of an overtaken process.
  const isAnew = load.hasLateComers || !hasCurrentRules(before);
  await regroupAdvisories(deps, { revision, hasAssessments, signal, isAnew });
  if (hasAssessments) await recordGroupsChangedAt(deps, revision);
  signal.throwIfAborted();
  if (!(await deps.feed.commit(before, next)))
    throw new Error('another process brought a newer revision into force');
}

/**
 * Brings changed matching rules into force with their own revision, before any load. Sets evaluated
 * by older rules are then evaluated again (`reevaluateSets`). The caller holds the lease and has
 * applied the revision in force. False when the rules are in force already or nothing is loaded.
 *
 * @throws Error when `signal` is aborted or another process committed a revision meanwhile
 */
export async function adoptRules(deps: LoadFeedDeps, signal: AbortSignal): Promise<boolean> {
  const before = await deps.feed.read();
  if (before.data === 'none' || hasCurrentRules(before)) return false;
  const { data, parts, revision } = before;
  const load = {
    before,
    revision: revision + 1,
    hasAssessments: true,
    signal,
    hasLateComers: false,
  };
  await commitNext(deps, load, { data, parts });
  return true;
}
