import { loadsToAwait, type FeedPlan } from '../domain/feed-waiting';
import type { FeedStateStore } from '../store/feed-state-store';
import type { FeedSource } from './source';

/** What makes the feed loop look before its time. */
export interface FeedTriggers {
  /** Is called when a look begins: what changes from now on is news. */
  reset(): Promise<void>;
  /** Whether there is something to look at; cheap enough to be asked every second. */
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

/** A file that was written to so lately may not be complete yet. */
const settlingMs = 1_000;
const filesEveryMs = 2_000;
/** Part of the time that looking at very many files may take. */
const share = 20;

/** Sizes and times of files tell more reliably than notifications, which network mounts do not give. */
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

/** An ecosystem that a component set names for the first time, in whatever process. */
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
