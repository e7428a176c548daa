import type { AdvisoryData, FeedView } from '@bomtrail/messages';

export type CheckState = 'up' | 'down';

/** In the order of `GET /readyz`. */
export const checkedServices = ['ingest', 'catalog', 'scanner', 'reconciler', 'notifier'] as const;

export type Checks = Record<'mongodb' | 'nats' | (typeof checkedServices)[number], CheckState>;

/** Without all of these, uploads cannot be accepted (docs/rules.md H10). */
const needed = ['mongodb', 'nats', 'ingest', 'catalog'] as const;

export interface Readiness {
  status: 'ready' | 'degraded' | 'not_ready';
  checks: Checks;
  /** Null while unknown. */
  advisories: AdvisoryReadiness | null;
}

/** The loaded advisories; they do not affect the status. */
export interface AdvisoryReadiness {
  data: AdvisoryData;
  /** Age of the oldest loaded feed; null if none. */
  oldest_age_seconds: number | null;
  /** Ecosystems. */
  stale: string[];
  failed: string[];
}

/** Summarises the feeds for operators. */
export function judgeAdvisories(feedsView: {
  advisory_data: AdvisoryData;
  feeds: readonly FeedView[];
}): AdvisoryReadiness {
  const { advisory_data: data, feeds } = feedsView;
  const names = (some: readonly FeedView[]): string[] => some.map(({ ecosystem }) => ecosystem);
  const ages = feeds.flatMap(({ data_status, age_seconds }) =>
    age_seconds !== null && (data_status === 'feed' || data_status === 'feed_stale')
      ? age_seconds
      : [],
  );
  return {
    data,
    oldest_age_seconds: ages.length > 0 ? Math.max(...ages) : null,
    stale: names(feeds.filter(({ data_status }) => data_status === 'feed_stale')),
    failed: names(feeds.filter(({ last_error }) => last_error !== null)),
  };
}

/** `degraded`: uploads are still accepted and stored durably. */
export function judgeReadiness(checks: Checks, advisories: AdvisoryReadiness | null): Readiness {
  if (needed.some((name) => checks[name] === 'down'))
    return { status: 'not_ready', checks, advisories };
  const allUp = Object.values(checks).every((state) => state === 'up');
  return { status: allUp ? 'ready' : 'degraded', checks, advisories };
}
