import { judgeReadiness, type Checks } from './readiness';

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
  expect(judgeReadiness(allUp)).toEqual({ status: 'ready', checks: allUp });
});

test.each(['mongodb', 'nats', 'ingest', 'catalog'] as const)(
  'without %s no upload is accepted: not ready',
  (name) => {
    const checks: Checks = { ...allUp, notifier: 'down', [name]: 'down' };
    expect(judgeReadiness(checks).status).toBe('not_ready');
  },
);

test.each(['scanner', 'reconciler', 'notifier'] as const)(
  'without %s an upload is accepted and safe: degraded',
  (name) => {
    expect(judgeReadiness({ ...allUp, [name]: 'down' }).status).toBe('degraded');
  },
);
