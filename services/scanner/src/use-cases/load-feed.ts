import { dataAfterLoad } from '../domain/feed-verdict';
import { isStarterLabel } from '../domain/merge-record';
import type { AdvisorySource, SourcePart } from '../feeds/source';
import {
  isSettled,
  type FeedPart,
  type FeedState,
  type FeedStateStore,
} from '../store/feed-state-store';
import { loadPart, removeVanished, type LoadPartDeps } from './load-part';
import { markGroups } from './mark-changes';
import { regroupAdvisories } from './regroup-advisories';

export interface LoadFeedDeps extends LoadPartDeps {
  feed: FeedStateStore;
}

/** How a look at a source ended. */
export interface LoadReport {
  /** Whether a new revision came into force. */
  committed: boolean;
  changed: number;
  /** Parts that failed, with the reason. */
  failures: { label: string; reason: string }[];
}

/** A load on its way: its changes come into force together, with the next revision. */
interface Load {
  source: AdvisorySource;
  before: FeedState;
  revision: number;
  marked: boolean;
  signal: AbortSignal;
}

/**
 * Looks at a source and loads what is new. The caller holds the lease for it, and has settled the
 * revision in force.
 *
 * The packages whose advisories change are noted first, then the advisories change, then one update
 * brings the next revision into force; a load that was cut off leaves notes behind, by which the
 * next one knows that there is something to bring into force. A part that fails keeps its old data.
 *
 * @throws Error when the source cannot be read at all, when the revision in force is not settled, when `signal` is aborted, or when another
 *   process brought a revision into force in between
 */
export async function loadFeed(
  deps: LoadFeedDeps,
  source: AdvisorySource,
  signal: AbortSignal,
): Promise<LoadReport> {
  const listed = await source.list(signal);
  if (listed.length === 0)
    throw new Error(`${source.origin} holds no folder of an ecosystem (npm, PyPI, Go, …)`);
  const before = await deps.feed.read();
  // A package that changes again is noted under the later revision only: its open change would be lost.
  if (!isSettled(before))
    throw new Error(`the changes of revision ${before.revision} are not settled yet`);
  const load: Load = {
    source,
    before,
    revision: before.revision + 1,
    marked: before.data !== 'none',
    signal,
  };
  const looked: { part: FeedPart; changed: number }[] = [];
  for (const part of listed) {
    const found = await lookAt(deps, load, part);
    if (found) looked.push(found);
  }
  if (looked.length === 0) throw new Error(`${source.origin} holds none of the ecosystems' files`);
  return bringIntoForce(deps, load, looked);
}

/** Null when the source does not have the part. */
async function lookAt(
  deps: LoadFeedDeps,
  load: Load,
  part: SourcePart,
): Promise<{ part: FeedPart; changed: number } | null> {
  const { origin } = load.source;
  const held = load.before.parts.find(({ label }) => label === part.label);
  const sameOrigin = held?.origin === origin && held.fingerprint !== null;
  const known = sameOrigin ? held.fingerprint : null;
  const blank: FeedPart = {
    ...{ label: part.label, covers: part.covers, fingerprint: null, origin },
    ...{ records: 0, rejected: 0, loaded_at: null, error: null },
    ...{ failed_at: null, checked_at: null, as_of: null, revision: 0 },
  };
  const keeping = (error: string | null): { part: FeedPart; changed: number } => ({
    part: { ...(held ?? blank), error },
    changed: 0,
  });
  try {
    const edition = await part.open(known, load.signal);
    if (edition === 'absent') return null;
    if (edition === 'unchanged') return keeping(null);
    try {
      const { revision, marked, signal } = load;
      const { label } = part;
      const result = await loadPart(deps, { label, edition, revision, marked, sameOrigin, signal });
      const { changed, error, records, rejected } = result;
      if (error) return { ...keeping(error), changed };
      const { fingerprint } = edition;
      deps.log.info({ label, records, rejected, changed }, 'A part of the advisory feed is read.');
      return {
        part: { ...blank, fingerprint, records, rejected, loaded_at: new Date() },
        changed,
      };
    } finally {
      await edition.close();
    }
  } catch (error) {
    load.signal.throwIfAborted();
    return keeping((error as Error).message);
  }
}

async function bringIntoForce(
  deps: LoadFeedDeps,
  load: Load,
  looked: { part: FeedPart; changed: number }[],
): Promise<LoadReport> {
  const { before, revision, marked, signal } = load;
  const parts = looked.map(({ part }) => part);
  const isStarter = parts.every(({ label }) => isStarterLabel(label));
  const data = dataAfterLoad(before.data, {
    isStarter,
    parts: parts.map((part) => ({
      loaded: part.fingerprint !== null && part.origin === load.source.origin,
    })),
  });
  const failures = parts.flatMap(({ label, error }) => (error ? [{ label, reason: error }] : []));
  let changed = looked.reduce((sum, one) => sum + one.changed, 0);

  let others = before.parts.filter(({ label }) => !parts.some((part) => part.label === label));
  if (data === 'feed') {
    for (const { label } of others.filter((part) => isStarterLabel(part.label)))
      changed += await removeVanished(deps, { label, revision, marked, signal }, () => true);
    others = others.filter(({ label }) => !isStarterLabel(label));
  }
  const next = { data, parts: [...others, ...parts] };

  const unfinished =
    (await deps.changes.hasLaterThan(before.revision)) ||
    (await deps.advisories.hasChangedAfter(before.revision));
  const isFirst = before.data === 'none' && data !== 'none';
  if (changed > 0 || unfinished || isFirst) {
    await regroupAdvisories(deps, { revision, marked, signal });
    if (marked) await markGroups(deps, await deps.advisories.groupsChangedAt(revision), revision);
    signal.throwIfAborted();
    if (!(await deps.feed.commit(before, next)))
      throw new Error('another process brought a newer revision into force');
    return { committed: true, changed, failures };
  }
  if (JSON.stringify(next) !== JSON.stringify({ data: before.data, parts: before.parts }))
    await deps.feed.note(before, next);
  return { committed: false, changed, failures };
}
