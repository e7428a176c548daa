import type { FeedPart } from '../store/feed-state-store';

/** Names of records that could not be read which are remembered; more are only counted. */
const unreadAtMost = 50;

/** What a look at a part found. */
export interface Look {
  at: Date;
  /** Whether what is found unchanged is as current as the look. */
  isLive: boolean;
}

/** A part after a look that found nothing new. */
export function confirmedPart(held: FeedPart, look: Look): FeedPart {
  return {
    ...held,
    ...{ error: null, failed_at: null, checked_at: look.at },
    as_of: look.isLive ? look.at : (held.as_of ?? held.loaded_at),
  };
}

/** A part after a look that failed: what is held of it stays. */
export function failedPart(held: FeedPart, look: Look, error: string): FeedPart {
  return { ...held, error, failed_at: look.at };
}

/** What a load took from an edition. */
export interface Taken {
  fingerprint: string;
  asOf: Date;
  /** The ids that an increment brought; null when the edition held everything. */
  increment: readonly string[] | null;
  /** Records held of the part now. */
  records: number;
  /** Names of all records that could not be read. */
  rejected: readonly string[];
  /** The revision with which something changed, null when nothing did. */
  revision: number | null;
}

/** A part after a load. What an increment does not speak of is as it was before. */
export function loadedPart(held: FeedPart, look: Look, taken: Taken): FeedPart {
  const again = new Set(taken.increment ?? []);
  const before = taken.increment === null ? [] : (held.unread ?? []);
  const stillUnread = before.filter((id) => !again.has(id));
  const countBefore = taken.increment === null ? 0 : held.rejected;
  return {
    ...held,
    ...{ error: null, failed_at: null, checked_at: look.at, loaded_at: look.at },
    fingerprint: taken.fingerprint,
    as_of: taken.asOf,
    records: taken.records,
    rejected: countBefore - (before.length - stillUnread.length) + taken.rejected.length,
    unread: [...stillUnread, ...taken.rejected].slice(0, unreadAtMost),
    revision: taken.revision ?? held.revision,
  };
}
