import type { AdvisoryData } from '@bomtrail/messages';
import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import { createBatcher } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';

/** One part of a feed as it was looked at last. */
export interface FeedPart {
  /** `npm`, or `starter/npm` for the built-in set; unique. */
  label: string;
  /** Ecosystems whose advisories it brings. */
  covers: string[];
  /**
   * The releases of distributions that its advisories speak of (`releaseOfAdvisory`), those of the
   * editions before too; absent where none were noted yet: then any release counts as covered.
   */
  releases?: string[];
  /** Tells two editions of the file apart; null when none was loaded yet. */
  fingerprint: string | null;
  /** Where it came from: the source as it is configured. */
  origin: string;
  records: number;
  /** Records that could not be read in the edition that is loaded. */
  rejected: number;
  /** Names of some of these: they are worth another try. */
  unread?: string[];
  /** Why the last look failed, null when it did not. */
  error: string | null;
  /** When the last look failed, null when it did not. */
  failed_at: Date | null;
  /** When a look at this part last ended well. */
  checked_at: Date | null;
  /**
   * The data are as current as this: of a server the last look that found them current or took them,
   * of files the time of the newest one.
   */
  as_of: Date | null;
  /** The revision with which its records changed last, 0 when none did. */
  revision: number;
  /** `MATCHING_RULES_VERSION` that its records were read with; absent while nothing was loaded. */
  rules?: number;
}

/** What the scanner knows of its advisories: one document. */
export interface FeedState {
  /** Grows with every change of the advisories; 0 = none are loaded. */
  revision: number;
  /** Every package version's matches are right for this revision at least. */
  applied_revision: number;
  /** Grows whenever something that is read for findings has changed; caches hold for one stamp. */
  stamp: number;
  data: AdvisoryData;
  parts: FeedPart[];
  /** When a feed was last looked at with success, null before. */
  checked_at: Date | null;
  /** When the revision came into force, by the database's clock; null while nothing is loaded. */
  in_force_at: Date | null;
  /** `MATCHING_RULES_VERSION` in force; absent while nothing is loaded. */
  rules?: number;
  /** The revision that these rules came into force with. */
  rules_revision?: number;
}

/** Whether the rules of this process are in force: what was evaluated under others is told apart. */
export function hasCurrentRules(state: Pick<FeedState, 'rules'>): boolean {
  return state.rules === MATCHING_RULES_VERSION;
}

/** Whether every change that is in force has reached the package versions and sets. */
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

/** A part of which nothing was ever loaded. */
export function blankPart(part: Pick<FeedPart, 'label' | 'covers' | 'origin'>): FeedPart {
  return {
    ...part,
    ...{ fingerprint: null, records: 0, rejected: 0, unread: [], revision: 0 },
    ...{ error: null, failed_at: null, checked_at: null, as_of: null },
  };
}

/** What of the state an answer stands on, apart from the times. */
function basisOf({ data, parts }: Pick<FeedState, 'data' | 'parts'>) {
  return {
    data,
    parts: parts.map(({ label, covers, fingerprint }) => ({ label, covers, fingerprint })),
  };
}

export type FeedStateStore = ReturnType<typeof createFeedStateStore>;

/** The one document that says which advisories are in force. */
export function createFeedStateStore(db: Db) {
  const states = db.collection<FeedStateDocument>('feed_state');

  async function readOnce(): Promise<FeedState> {
    const found = await states.findOne({ _id: 'feed' });
    return found ?? emptyState;
  }

  // Readers of one moment share a read; none is given a state from before it asked.
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
     * Puts the next revision into force; false when it is not the next one any more because another
     * process was faster. The first revision of all has nothing to settle.
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

    /** Notes what a look found that changed no advisory. */
    async note(from: FeedState, next: Pick<FeedState, 'data' | 'parts'>): Promise<void> {
      await ensure();
      // Times and failures move with every look: they are not what caches hold.
      const moved = JSON.stringify(basisOf(from)) !== JSON.stringify(basisOf(next));
      await states.updateOne(
        { _id: 'feed', revision: from.revision },
        {
          $set: { data: next.data, parts: next.parts },
          ...(moved ? { $inc: { stamp: 1 } } : {}),
        },
      );
    },

    /** Notes for one part that its load broke off. */
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

    /** Notes that a look at a source has ended. */
    async recordPoll(origin: string, poll: { isFine: boolean }): Promise<void> {
      await ensure();
      const checked = poll.isFine ? { checked_at: new Date() } : {};
      await states.updateOne({ _id: 'feed' }, { $set: { polled_origin: origin, ...checked } });
    },

    /** Every package version's matches are right for the revision now. */
    async markApplied(revision: number): Promise<void> {
      await states.updateOne(
        { _id: 'feed', applied_revision: { $lt: revision } },
        { $set: { applied_revision: revision }, $inc: { stamp: 1 } },
      );
    },
  };
}
