import type { AdvisoryData } from '@bomtrail/messages';
import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import { createBatcher } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';

/** State of one part of a feed after its last poll. */
export interface FeedPart {
  /** `npm`, or `starter/npm` for the built-in set; unique. */
  label: string;
  /** Ecosystems that it contains. */
  covers: string[];
  /**
   * Releases of distributions that its advisories name (`releaseOfAdvisory`), including former
   * editions; absent until recorded: then every release counts as covered.
   */
  releases?: string[];
  /** Identifies the loaded edition; null when none was loaded. */
  fingerprint: string | null;
  /** The configured source that it was loaded from. */
  origin: string;
  records: number;
  /** Unreadable records of the loaded edition. */
  rejected: number;
  /** Names of some unreadable records, to be retried. */
  unread?: string[];
  /** Error of the last poll, null for none. */
  error: string | null;
  /** Time of the last poll if it failed, else null. */
  failed_at: Date | null;
  /** Time of the last successful poll. */
  checked_at: Date | null;
  /**
   * The time that the data is current for: of a server the last successful poll, of files the time
   * of the newest file.
   */
  as_of: Date | null;
  /** Last revision that changed its records, 0 for none. */
  revision: number;
  /** `MATCHING_RULES_VERSION` that its records were read with; absent while nothing was loaded. */
  rules?: number;
}

/** State of the advisory data: one document. */
export interface FeedState {
  /** Grows with every change of the advisories; 0 until some are loaded. */
  revision: number;
  /** All package versions are evaluated for this revision at least. */
  applied_revision: number;
  /** Grows with every change that findings depend on; caches are valid for one stamp. */
  stamp: number;
  data: AdvisoryData;
  parts: FeedPart[];
  /** Time of the last successful poll, null before. */
  checked_at: Date | null;
  /** When the revision came into force, by the database's clock; null while nothing is loaded. */
  in_force_at: Date | null;
  /** `MATCHING_RULES_VERSION` in force; absent while nothing is loaded. */
  rules?: number;
  /** The revision that brought these rules into force. */
  rules_revision?: number;
}

/** Whether the rules of this process are in force. */
export function hasCurrentRules(state: Pick<FeedState, 'rules'>): boolean {
  return state.rules === MATCHING_RULES_VERSION;
}

/** Whether the revision in force is applied to all package versions and sets. */
export function isApplied(state: Pick<FeedState, 'revision' | 'applied_revision'>): boolean {
  return state.applied_revision >= state.revision;
}

interface FeedStateDocument extends FeedState {
  _id: 'feed';
}

const emptyState: FeedState = {
  revision: 0,
  applied_revision: 0,
  stamp: 0,
  data: 'none',
  parts: [],
  checked_at: null,
  in_force_at: null,
};

/** State of a part that was never loaded. */
export function blankPart(part: Pick<FeedPart, 'label' | 'covers' | 'origin'>): FeedPart {
  return {
    ...part,
    ...{ fingerprint: null, records: 0, rejected: 0, unread: [], revision: 0 },
    ...{ error: null, failed_at: null, checked_at: null, as_of: null },
  };
}

/** The fields that results depend on, without times. */
function basisOf({ data, parts }: Pick<FeedState, 'data' | 'parts'>) {
  return {
    data,
    parts: parts.map(({ label, covers, fingerprint }) => ({ label, covers, fingerprint })),
  };
}

export type FeedStateStore = ReturnType<typeof createFeedStateStore>;

/** Store of the feed state document. */
export function createFeedStateStore(db: Db) {
  const states = db.collection<FeedStateDocument>('feed_state');

  async function readOnce(): Promise<FeedState> {
    const found = await states.findOne({ _id: 'feed' });
    return found ?? emptyState;
  }

  // Concurrent readers share a query that starts after all of them called.
  const read = createBatcher<null, FeedState>(async (readers) => {
    const state = await readOnce();
    return readers.map(() => state);
  }, 1000);

  async function ensure(): Promise<void> {
    await states.updateOne({ _id: 'feed' }, { $setOnInsert: emptyState }, { upsert: true });
  }

  return {
    read: () => read(null),

    /**
     * Brings the next revision into force; false when another process was faster. The first
     * revision counts as applied.
     */
    async commit(from: FeedState, next: Pick<FeedState, 'data' | 'parts'>): Promise<boolean> {
      await ensure();
      const revision = from.revision + 1;
      const applied = from.data === 'none' ? { applied_revision: revision } : {};
      const rules = hasCurrentRules(from)
        ? {}
        : { rules: MATCHING_RULES_VERSION, rules_revision: revision };
      const committed = await states.updateOne(
        { _id: 'feed', revision: from.revision },
        {
          $set: { ...next, ...applied, ...rules, revision },
          $inc: { stamp: 1 },
          $currentDate: { in_force_at: true },
        },
      );
      return committed.matchedCount === 1;
    },

    /** Stores the result of a poll that changed no advisory. */
    async note(from: FeedState, next: Pick<FeedState, 'data' | 'parts'>): Promise<void> {
      await ensure();
      // Times and errors change with every poll and do not affect caches.
      const moved = JSON.stringify(basisOf(from)) !== JSON.stringify(basisOf(next));
      await states.updateOne(
        { _id: 'feed', revision: from.revision },
        {
          $set: { data: next.data, parts: next.parts },
          ...(moved ? { $inc: { stamp: 1 } } : {}),
        },
      );
    },

    /** Records that the load of a part failed. */
    async recordFailure(
      part: Pick<FeedPart, 'label' | 'covers' | 'origin'>,
      error: string,
    ): Promise<void> {
      await ensure();
      const failed = { error, failed_at: new Date() };
      const { label } = part;
      const known = await states.updateOne(
        { _id: 'feed', 'parts.label': label },
        { $set: { 'parts.$.error': failed.error, 'parts.$.failed_at': failed.failed_at } },
      );
      if (known.matchedCount > 0) return;
      await states.updateOne(
        { _id: 'feed', 'parts.label': { $ne: label } },
        { $push: { parts: { ...blankPart(part), ...failed } } },
      );
    },

    /** Records that the poll of a source finished. */
    async recordPoll(origin: string, poll: { isFine: boolean }): Promise<void> {
      await ensure();
      const checked = poll.isFine ? { checked_at: new Date() } : {};
      await states.updateOne({ _id: 'feed' }, { $set: { polled_origin: origin, ...checked } });
    },

    /** Records that all changes up to the revision are applied. */
    async markApplied(revision: number): Promise<void> {
      await states.updateOne(
        { _id: 'feed', applied_revision: { $lt: revision } },
        { $set: { applied_revision: revision }, $inc: { stamp: 1 } },
      );
    },
  };
}
