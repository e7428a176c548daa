import type { FeedView } from '@bomtrail/messages';
import { judgeAdvisories, judgeReadiness, type Checks } from './readiness';

const allUp: Checks = {
  mongodb: 'up',
  nats: 'up',
  ingest: 'up',
  catalog: 'up',
  scanner: 'up',
  reconciler: 'up',
  notifier: 'up',
};

test('all up is ready', () => {
  expect(judgeReadiness(allUp, null)).toEqual({ status: 'ready', checks: allUp, advisories: null });
});

test.each(['mongodb', 'nats', 'ingest', 'catalog'] as const)(
  'without %s no upload is accepted: not ready',
  (name) => {
    const checks: Checks = { ...allUp, notifier: 'down', [name]: 'down' };
    expect(judgeReadiness(checks, null).status).toBe('not_ready');
  },
);

test.each(['scanner', 'reconciler', 'notifier'] as const)(
  'without %s an upload is accepted and safe: degraded',
  (name) => {
    expect(judgeReadiness({ ...allUp, [name]: 'down' }, null).status).toBe('degraded');
  },
);

test('stale and failed feeds are named, and the oldest of those that are loaded tells the age', () => {
  const feed = (ecosystem: string, rest: Partial<FeedView>): FeedView => ({
    ecosystem,
    data_status: 'feed',
    source: null,
    last_success_at: null,
    as_of: null,
    age_seconds: 10,
    records: 1,
    rejected: 0,
    revision: 1,
    last_error: null,
    ...rest,
  });
  const advisories = judgeAdvisories({
    advisory_data: 'feed',
    feeds: [
      feed('Go', { age_seconds: 90, data_status: 'feed_stale' }),
      feed('Maven', { age_seconds: 900, data_status: 'starter_data' }),
      feed('PyPI', { age_seconds: null, data_status: 'feed_not_loaded' }),
      feed('npm', { last_error: { message: 'HTTP 500', at: null } }),
    ],
  });
  expect(advisories).toEqual({
    data: 'feed',
    oldest_age_seconds: 90,
    stale: ['Go'],
    failed: ['npm'],
  });
  expect(judgeReadiness(allUp, advisories).status).toBe('ready');
});
