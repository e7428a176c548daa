import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import { confirmedPart, failedPart, loadedPart, type Look } from '../domain/feed-part';
import type { Edition, KnownEdition, SourcePart } from '../feeds/source';
import { blankPart, type FeedPart, type FeedState } from '../store/feed-state-store';
import { loadPart, type LoadPartDeps, type PartResult } from './load-part';

/** A look at all parts of a source on its way. */
export interface LookAtPart {
  origin: string;
  isLive: boolean;
  before: FeedState;
  /** The revision with which the changes come into force. */
  revision: number;
  marked: boolean;
  signal: AbortSignal;
}

export interface LookedAt {
  part: FeedPart;
  /** Advisories written or removed. */
  changed: number;
  /** Why the part could not be taken, null when it was or when there is nothing to be expected. */
  failure: string | null;
}

const absentReason = 'the server does not have it (status 404)';

/** Looks at one part of a source and loads what is new of it. One that fails keeps its old data. */
export async function lookAtPart(
  deps: LoadPartDeps,
  load: LookAtPart,
  part: SourcePart,
): Promise<LookedAt> {
  const held = heldOf(load, part);
  const look: Look = { at: new Date(), isLive: load.isLive };
  const failing = (error: string, changed = 0): LookedAt => ({
    part: failedPart(held, look, error),
    changed,
    failure: error,
  });
  try {
    const edition = await part.open(knownOf(deps, load, held), load.signal);
    if (edition === 'unchanged')
      return { part: confirmedPart(held, look), changed: 0, failure: null };
    if (edition === 'absent') {
      const isExpected = held.fingerprint !== null;
      return isExpected ? failing(absentReason) : { ...failing(absentReason), failure: null };
    }
    try {
      const result = await loadEdition(deps, { load, part, held }, edition);
      if (result.error) return failing(result.error, result.changed);
      const at = { load, held, look, covers: part.covers };
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

/** What is held of the part; of another source only when something was loaded from there. */
function heldOf({ before, origin }: LookAtPart, { label, covers }: SourcePart): FeedPart {
  const held = before.parts.find((part) => part.label === label);
  if (held && (held.origin === origin || held.fingerprint !== null)) return held;
  return blankPart({ label, covers, origin });
}

/** Other rules may draw more from the same records: a part is then read again as a whole. */
function knownOf(deps: LoadPartDeps, { origin }: LookAtPart, held: FeedPart): KnownEdition {
  const isKnown = held.origin === origin && held.rules === MATCHING_RULES_VERSION;
  return {
    fingerprint: isKnown ? held.fingerprint : null,
    hasUnread: (held.unread ?? []).length > 0,
    findHeld: (ids) => deps.advisories.findHeld(ids),
  };
}

async function loadEdition(
  deps: LoadPartDeps,
  at: { load: LookAtPart; part: SourcePart; held: FeedPart },
  edition: Edition,
): Promise<PartResult> {
  const { revision, marked, signal, origin } = at.load;
  const { label } = at.part;
  const sameOrigin = at.held.origin === origin && at.held.fingerprint !== null;
  const result = await loadPart(deps, { label, edition, revision, marked, sameOrigin, signal });
  const { changed, records, stale, error } = result;
  const counts = { label, records, rejected: result.rejected.length, stale, changed };
  // An increment of nothing is what most looks find.
  if (!error && (edition.increment === null || edition.count > 0))
    deps.log.info(counts, 'A part of the advisory feed is read.');
  return result;
}

async function takenPart(
  deps: LoadPartDeps,
  at: { load: LookAtPart; held: FeedPart; look: Look; covers: string[] },
  { edition, result }: { edition: Edition; result: PartResult },
): Promise<FeedPart> {
  const { held, load, look } = at;
  const { label } = held;
  const isIncrement = edition.increment !== null;
  const countHeld = () =>
    edition.count > 0 ? deps.advisories.countByLabel(label) : Promise.resolve(held.records);
  const part = loadedPart(held, look, {
    fingerprint: edition.fingerprint,
    asOf: edition.asOf,
    increment: edition.increment,
    records: isIncrement ? await countHeld() : result.records,
    rejected: result.rejected,
    revision: result.changed > 0 ? load.revision : null,
  });
  // A part that may hold any ecosystem speaks for those that it does hold.
  const covers = at.covers.length > 1 ? [...result.ecosystems].sort() : at.covers;
  const releases = [...new Set([...(held.releases ?? []), ...result.releases])].sort();
  return { ...part, covers, releases, origin: load.origin, rules: MATCHING_RULES_VERSION };
}
