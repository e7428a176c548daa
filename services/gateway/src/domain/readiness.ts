import type { AdvisoryData, FeedView } from '@bomtrail/messages';

export type CheckState = 'up' | 'down';

/** In the order in which `GET /readyz` shows them. */
export const checkedServices = ['ingest', 'catalog', 'scanner', 'reconciler', 'notifier'] as const;

export type Checks = Record<'mongodb' | 'nats' | (typeof checkedServices)[number], CheckState>;

/** Without one of these an upload cannot be accepted (docs/rules.md H10). */
const needed = ['mongodb', 'nats', 'ingest', 'catalog'] as const;

export interface Readiness {
  status: 'ready' | 'degraded' | 'not_ready';
  checks: Checks;
  /** Null while the scanner does not say. */
  advisories: AdvisoryReadiness | null;
}

/** The advisories that are loaded; they never change the status. */
export interface AdvisoryReadiness {
  data: AdvisoryData;
  /** Of the least current feed that is loaded; null without one. */
  oldest_age_seconds: number | null;
  /** Ecosystems. */
  stale: string[];
  failed: string[];
}

/** What an operator has to know of the feeds, in a few words. */
export function judgeAdvisories(told: {
  advisory_data: AdvisoryData;
  feeds: readonly FeedView[];
}): AdvisoryReadiness {
  const { advisory_data: data, feeds } = told;
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

/** `degraded`: an upload is still accepted and safe. */
export function judgeReadiness(checks: Checks, advisories: AdvisoryReadiness | null): Readiness {
  if (needed.some((name) => checks[name] === 'down'))
    return { status: 'not_ready', checks, advisories };
  const allUp = Object.values(checks).every((state) => state === 'up');
  return { status: allUp ? 'ready' : 'degraded', checks, advisories };
}
