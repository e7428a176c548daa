import type { StampedCache } from '../cache/stamped-cache';
import type { FeedState } from '../feeds/domain/feed-state';
import type { FeedStateStore } from '../feeds/store/feed-state-store';
import type { ComponentSetStore } from '../matching/store/component-set-store';
import type { EvaluatedSet } from '../matching/store/set-evaluations';
import type { At, DescribeComponentsDeps } from './describe-components';

export interface ReadSetDeps extends DescribeComponentsDeps {
  feed: FeedStateStore;
  sets: ComponentSetStore;
  /** Sets that this process evaluated. */
  setCache: StampedCache<EvaluatedSet>;
}

/** Attempts when the advisories change while findings are read. */
export const maxRounds = 5;

/** The revision at which a set is read. */
export function readAt(set: EvaluatedSet, { stamp, applied_revision }: FeedState): At {
  return { stamp, revision: Math.max(set.revision, applied_revision) };
}

/**
 * The revision that findings are valid for; results of older rules precede the revision of the
 * current rules.
 */
export function knownRevision(set: EvaluatedSet, revision: number, state: FeedState): number {
  return set.isCurrent ? revision : Math.min(revision, (state.rules_revision ?? 1) - 1);
}
