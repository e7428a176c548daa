import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import { confirmedPart, failedPart, loadedPart, type Poll } from './domain/feed-part';
import type { Edition, KnownEdition, SourcePart } from './sources/source';
import { blankPart, type FeedPart, type FeedState } from './domain/feed-state';
import { loadPart, type LoadPartDeps, type PartResult } from './load-part';

/** The poll of all parts of a source. */
export interface SourcePoll {
  origin: string;
  isLive: boolean;
  before: FeedState;
  /** The revision that the changes belong to. */
  revision: number;
  hasAssessments: boolean;
  signal: AbortSignal;
}

export interface PolledPart {
  part: FeedPart;
  /** Advisories written or removed. */
  changed: number;
  /** Why the part was not loaded; null when it was, or when an absence is expected. */
  failure: string | null;
}

const absentReason = 'the server does not have it (status 404)';

/** Polls one part of a source and loads what is new. A failed part keeps its data. */
export async function pollPart(
  deps: LoadPartDeps,
  load: SourcePoll,
  part: SourcePart,
): Promise<PolledPart> {
  const stored = storedPart(load, part);
  const poll: Poll = { at: new Date(), isLive: load.isLive };
  const failing = (error: string, changed = 0): PolledPart => ({
    part: failedPart(stored, poll, error),
    changed,
    failure: error,
  });
  try {
    const edition = await part.open(knownOf(deps, load, stored), load.signal);
    if (edition === 'unchanged')
      return { part: confirmedPart(stored, poll), changed: 0, failure: null };
    if (edition === 'absent') {
      const isExpected = stored.fingerprint !== null;
      return isExpected ? failing(absentReason) : { ...failing(absentReason), failure: null };
    }
    try {
      const result = await loadEdition(deps, { load, part, stored }, edition);
      if (result.error) return failing(result.error, result.changed);
      const at = { load, stored, poll, covers: part.covers };
      const taken = await takenPart(deps, at, { edition, result });
      return { part: taken, changed: result.changed, failure: null };
    } finally {
      await edition.close();
    }
  } catch (error) {
    load.signal.throwIfAborted();
    return failing((error as Error).message);
  }
}

/** The stored part; a part of another source counts only if it was loaded. */
function storedPart({ before, origin }: SourcePoll, { label, covers }: SourcePart): FeedPart {
  const stored = before.parts.find((part) => part.label === label);
  if (stored && (stored.origin === origin || stored.fingerprint !== null)) return stored;
  return blankPart({ label, covers, origin });
}

/** After a change of the rules a part is read again in full. */
function knownOf(deps: LoadPartDeps, { origin }: SourcePoll, stored: FeedPart): KnownEdition {
  const isKnown = stored.origin === origin && stored.rules === MATCHING_RULES_VERSION;
  return {
    fingerprint: isKnown ? stored.fingerprint : null,
    hasUnread: (stored.unread ?? []).length > 0,
    findHeaders: (ids) => deps.advisories.findHeaders(ids),
  };
}

async function loadEdition(
  deps: LoadPartDeps,
  at: { load: SourcePoll; part: SourcePart; stored: FeedPart },
  edition: Edition,
): Promise<PartResult> {
  const { revision, hasAssessments, signal, origin } = at.load;
  const { label, covers } = at.part;
  const sameOrigin = at.stored.origin === origin && at.stored.fingerprint !== null;
  const result = await loadPart(deps, {
    label,
    covers,
    edition,
    revision,
    hasAssessments,
    sameOrigin,
    signal,
  });
  const { changed, records, stale, error } = result;
  const counts = { label, records, rejected: result.rejected.length, stale, changed };
  // Most polls find an empty increment.
  if (!error && (edition.increment === null || edition.count > 0))
    deps.log.info(counts, 'Loaded a part of the advisory feed.');
  return result;
}

async function takenPart(
  deps: LoadPartDeps,
  at: { load: SourcePoll; stored: FeedPart; poll: Poll; covers: string[] },
  { edition, result }: { edition: Edition; result: PartResult },
): Promise<FeedPart> {
  const { stored, load, poll } = at;
  const { label } = stored;
  const isIncrement = edition.increment !== null;
  const countStored = () =>
    edition.count > 0 ? deps.advisories.countByLabel(label) : Promise.resolve(stored.records);
  const part = loadedPart(stored, poll, {
    fingerprint: edition.fingerprint,
    asOf: edition.asOf,
    increment: edition.increment,
    records: isIncrement ? await countStored() : result.records,
    rejected: result.rejected,
    revision: result.changed > 0 ? load.revision : null,
  });
  // A part that may contain any ecosystem covers those that it does contain.
  const covers = at.covers.length > 1 ? [...result.ecosystems].sort() : at.covers;
  const releases = [...new Set([...(stored.releases ?? []), ...result.releases])].sort();
  return { ...part, covers, releases, origin: load.origin, rules: MATCHING_RULES_VERSION };
}
