import { dataStatusOf, type DataStatusState } from './feed-data-status';

/** Which advisories this process loads. */
export interface FeedPlan {
  /** The configured source; null for the starter set only. */
  origin: string | null;
  /** Whether ecosystems are loaded on first use; otherwise the whole source is loaded. */
  isOnDemand: boolean;
  /** The configured ecosystems, null for those in use. */
  chosen: ReadonlySet<string> | null;
}

/** The fields of the feed state that decide whether a scan waits. */
export interface PolledState extends DataStatusState {
  parts: readonly (DataStatusState['parts'][number] & {
    origin: string;
    failed_at: Date | null;
    checked_at: Date | null;
  })[];
  /** Source of the last finished poll, successful or not. */
  polled_origin?: string;
}

/**
 * Returns the ecosystems whose first load has neither finished nor failed. Scans that need one of
 * them wait. Failed loads and ecosystems outside the configuration are not awaited.
 *
 * @param ecosystems OSV names without suffix
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
  // Stale data counts as loaded.
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
