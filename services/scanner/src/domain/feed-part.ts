import type { FeedPart } from '../store/feed-state-store';

/** Names of records that could not be read which are remembered; more are only counted. */
const maxUnread = 50;

/** What a look at a part found. */
export interface Poll {
  at: Date;
  /** Whether what is found unchanged is as current as the look. */
  isLive: boolean;
}

/** A part after a look that found nothing new. */
export function confirmedPart(stored: FeedPart, poll: Poll): FeedPart {
  return {
    ...stored,
    ...{ error: null, failed_at: null, checked_at: poll.at },
    as_of: poll.isLive ? poll.at : stored.as_of,
  };
}

/** A part after a look that failed: what is held of it stays. */
export function failedPart(stored: FeedPart, poll: Poll, error: string): FeedPart {
  return { ...stored, error, failed_at: poll.at };
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
export function loadedPart(stored: FeedPart, poll: Poll, taken: Taken): FeedPart {
  const again = new Set(taken.increment ?? []);
  const before = taken.increment === null ? [] : (stored.unread ?? []);
  const stillUnread = before.filter((id) => !again.has(id));
  const countBefore = taken.increment === null ? 0 : stored.rejected;
  return {
    ...stored,
    ...{ error: null, failed_at: null, checked_at: poll.at },
    fingerprint: taken.fingerprint,
    as_of: taken.asOf,
    records: taken.records,
    rejected: countBefore - (before.length - stillUnread.length) + taken.rejected.length,
    unread: [...stillUnread, ...taken.rejected].slice(0, maxUnread),
    revision: taken.revision ?? stored.revision,
  };
}
