import type { FeedPart } from './feed-state';

/** Stored names of unreadable records; further ones are only counted. */
const maxUnread = 50;

/** The poll of one part. */
export interface Poll {
  at: Date;
  /** Whether unchanged data is as current as the poll. */
  isLive: boolean;
}

/** A part after a poll that found nothing new. */
export function confirmedPart(stored: FeedPart, poll: Poll): FeedPart {
  return {
    ...stored,
    error: null,
    failed_at: null,
    checked_at: poll.at,
    as_of: poll.isLive ? poll.at : stored.as_of,
  };
}

/** A part after a failed poll; its data stays. */
export function failedPart(stored: FeedPart, poll: Poll, error: string): FeedPart {
  return { ...stored, error, failed_at: poll.at };
}

/** Result of loading an edition. */
export interface Taken {
  fingerprint: string;
  asOf: Date;
  /** Ids of an incremental edition; null for a full one. */
  increment: readonly string[] | null;
  /** Records of the part after the load. */
  records: number;
  /** Names of all unreadable records. */
  rejected: readonly string[];
  /** Revision of the load, null when nothing changed. */
  revision: number | null;
}

/** A part after a load. Records outside an increment stay as they were. */
export function loadedPart(stored: FeedPart, poll: Poll, taken: Taken): FeedPart {
  const again = new Set(taken.increment ?? []);
  const before = taken.increment === null ? [] : (stored.unread ?? []);
  const stillUnread = before.filter((id) => !again.has(id));
  const countBefore = taken.increment === null ? 0 : stored.rejected;
  return {
    ...stored,
    error: null,
    failed_at: null,
    checked_at: poll.at,
    fingerprint: taken.fingerprint,
    as_of: taken.asOf,
    records: taken.records,
    rejected: countBefore - (before.length - stillUnread.length) + taken.rejected.length,
    unread: [...stillUnread, ...taken.rejected].slice(0, maxUnread),
    revision: taken.revision ?? stored.revision,
  };
}
