import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import { createBatcher } from '@bomtrail/concurrency';
import type { Db } from 'mongodb';
import { blankPart, hasCurrentRules, type FeedPart, type FeedState } from '../domain/feed-state';

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
  let latest: FeedState | null = null;

  async function readOnce(): Promise<FeedState> {
    const found = await states.findOne({ _id: 'feed' });
    return found ?? emptyState;
  }

  // Concurrent readers share a query that starts after all of them called.
  const read = createBatcher<null, FeedState>(async (readers) => {
    const state = await readOnce();
    latest = state;
    return readers.map(() => state);
  }, 1000);

  async function ensure(): Promise<void> {
    await states.updateOne({ _id: 'feed' }, { $setOnInsert: emptyState }, { upsert: true });
  }

  return {
    read: () => read(null),

    /**
     * The state that this process read last, without another read: for work that starts with it and reads it
     * again at the end.
     */
    latest: async (): Promise<FeedState> => latest ?? read(null),

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

    /** Records that the source could not be read at all, or with null that it could. */
    async recordSourceError(message: string | null): Promise<void> {
      await ensure();
      const change =
        message === null
          ? { $unset: { source_error: '' as const } }
          : { $set: { source_error: { message, at: new Date() } } };
      await states.updateOne({ _id: 'feed' }, change);
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
