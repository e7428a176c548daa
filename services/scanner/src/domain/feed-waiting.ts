import { dataStatusOf, type DataStatusState } from './feed-data-status';

/** Which advisories this process is to load. */
export interface FeedPlan {
  /** The source as it is configured; null when there is nothing but the starter set. */
  origin: string | null;
  /** Whether ecosystems are loaded when they are first seen; else all that the source has, at once. */
  isOnDemand: boolean;
  /** The only ecosystems that are loaded, null for those in use. */
  chosen: ReadonlySet<string> | null;
}

/** What is looked at of the state of a feed. */
export interface PolledState extends DataStatusState {
  parts: readonly (DataStatusState['parts'][number] & {
    origin: string;
    failed_at: Date | null;
    checked_at: Date | null;
  })[];
  /** The source of the last look that ended, with success or not. */
  polled_origin?: string;
}

/**
 * The ecosystems whose first load has neither ended nor failed yet: a scan that needs one of them
 * waits, because its answer would stand on nothing. A load that failed is not waited for again, nor
 * is one that will not come.
 *
 * @param ecosystems OSV's names without suffix
 */
export function loadsToAwait(
  ecosystems: Iterable<string>,
  state: PolledState,
  plan: FeedPlan,
): string[] {
  const { origin } = plan;
  if (origin === null) return [];
  if (!plan.isOnDemand && state.polled_origin === origin) return [];
  return [...ecosystems].filter((ecosystem) => {
    if (plan.chosen && !plan.chosen.has(ecosystem)) return false;
    if (isLoaded(ecosystem, state)) return false;
    return !plan.isOnDemand || !wasTried(ecosystem, state, origin);
  });
}

function isLoaded(ecosystem: string, state: PolledState): boolean {
  // How old the data are makes no difference here.
  const status = dataStatusOf(ecosystem, state, { now: 0, staleAfterMs: 0 });
  return status === 'feed' || status === 'feed_stale';
}

function wasTried(ecosystem: string, state: PolledState, origin: string): boolean {
  return state.parts.some(
    (part) =>
      part.origin === origin &&
      part.covers.includes(ecosystem) &&
      (part.failed_at !== null || part.checked_at !== null),
  );
}
