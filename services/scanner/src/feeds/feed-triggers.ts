import { loadsToAwait, type FeedPlan } from './domain/feed-waiting';
import type { FeedStateStore } from './store/feed-state-store';
import type { FeedSource } from './sources/source';

/** Starts polls before the interval ends. */
export interface FeedTriggers {
  /** Called when a poll begins; later changes count as new. */
  reset(): Promise<void>;
  /** Whether a poll is due; cheap enough to call every second. */
  isDue(): Promise<boolean>;
}

export interface FeedTriggersDeps {
  feed: Pick<FeedStateStore, 'read'>;
  plan: FeedPlan;
  wanted(): Promise<string[]>;
}

export function createFeedTriggers(
  deps: FeedTriggersDeps,
  source: FeedSource | null,
): FeedTriggers {
  if (source === null) return { reset: async () => {}, isDue: async () => false };
  return source.kind === 'whole' ? watchFiles(source) : watchWanted(deps);
}

/** A file changed this recently may be incomplete. */
const settlingMs = 1_000;
const filesEveryMs = 2_000;
/** Checking many files may take 1/share of the time. */
const share = 20;

/** Compares sizes and times: network mounts send no change notifications. */
function watchFiles(source: Extract<FeedSource, { kind: 'whole' }>): FeedTriggers {
  let seen = '';
  let next = 0;
  return {
    async reset() {
      seen = (await source.stamp()).stamp;
    },
    async isDue() {
      const now = Date.now();
      if (now < next) return false;
      const { stamp, newest } = await source.stamp();
      next = now + Math.max(filesEveryMs, (Date.now() - now) * share);
      return stamp !== seen && Math.abs(now - newest) >= settlingMs;
    },
  };
}

/** Due when a component set in any process uses an ecosystem for the first time. */
function watchWanted(deps: FeedTriggersDeps): FeedTriggers {
  const tried = new Set<string>();
  return {
    reset: async () => {},
    async isDue() {
      const news = (await deps.wanted()).filter((ecosystem) => !tried.has(ecosystem));
      if (news.length === 0) return false;
      const awaited = new Set(loadsToAwait(news, await deps.feed.read(), deps.plan));
      for (const ecosystem of news) if (!awaited.has(ecosystem)) tried.add(ecosystem);
      return awaited.size > 0;
    },
  };
}
