import { checkedAgain, idsOf, newSetup, notificationsOf, until } from '../testing/checks';
import { startNotifier, type TestNotifier } from '../testing/start-notifier';

let notifier: TestNotifier;

beforeAll(async () => {
  notifier = await startNotifier({ instead: { checkSeconds: 0.05 } });
});
afterAll(() => notifier?.stop());

test('AL6 a rule reports what becomes known to be exploited months after it was reported, once', async () => {
  const { project_id, service } = newSetup(notifier);
  const old = notifier.reconciler.open(service, 'high');
  const low = notifier.reconciler.open(service, 'low');
  const exploited = notifier.reconciler.open(service, 'medium');
  notifier.reconciler.rate(exploited, { kev: '2026-01-01' });
  const plain = await notifier.newRule({ project_id });
  const { id } = await notifier.newRule({ project_id, config: { kev: true } });
  await until('the first messages', () => notificationsOf(notifier, id).length === 1);
  notifier.reconciler.rate(old, { kev: '2026-05-01' });
  await until('the second message', () => notificationsOf(notifier, id).length === 2);
  notifier.reconciler.rate(low, { kev: '2026-06-01' });
  await until('the third message', () => notificationsOf(notifier, id).length === 3);
  for (const row of [old, low]) {
    notifier.reconciler.rate(row, { kev: null });
    notifier.reconciler.rate(row, { kev: '2026-05-01' });
  }
  notifier.reconciler.judge(service, low, 'none');
  await checkedAgain(notifier, project_id);
  expect(notificationsOf(notifier, id)).toEqual([idsOf(old, exploited), idsOf(old), idsOf(low)]);
  expect(notificationsOf(notifier, plain.id)).toEqual([idsOf(old)]);
  const [, second] = notifier.sink.sentBy(id);
  expect(second?.digest.top).toMatchObject([{ kev: { date_added: '2026-05-01' } }]);
  notifier.reconciler.close(service, low.id);
  notifier.reconciler.rate(notifier.reconciler.open(service, 'low', low.id), {
    kev: '2026-06-01',
  });
  await until('reopened, it is reported again', () => notificationsOf(notifier, id).length === 4);
});

test('AL6 a rule reports a score that rises over its bound once, however often it does', async () => {
  const { project_id, service } = newSetup(notifier);
  const row = notifier.reconciler.open(service, 'low');
  notifier.reconciler.rate(row, { epss: 0.2 });
  const config = { by_severity: false, min_epss: 0.5 };
  const { id } = await notifier.newRule({ project_id, config });
  notifier.reconciler.open(service, 'critical');
  await checkedAgain(notifier, project_id);
  expect(notificationsOf(notifier, id)).toEqual([]);
  for (const epss of [0.5, 0.4, 0.6, 0.1, 0.9]) {
    notifier.reconciler.rate(row, { epss });
    await checkedAgain(notifier, project_id);
  }
  expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
});

test('AL6 a rule with a new reason reports only what it has not, and nothing without one', async () => {
  const { project_id, service } = newSetup(notifier);
  const rows = ['critical', 'low'].map((severity) =>
    notifier.reconciler.open(service, severity as 'critical' | 'low'),
  );
  for (const row of rows) notifier.reconciler.rate(row, { kev: '2026-01-01' });
  const { id } = await notifier.newRule({ project_id });
  await until('the first message', () => notificationsOf(notifier, id).length === 1);
  await notifier.update(id, { config: { kev: true } });
  await until('the second message', () => notificationsOf(notifier, id).length === 2);
  await notifier.update(id, { config: {} });
  await checkedAgain(notifier, project_id);
  const [first, ...others] = rows.map((row) => idsOf(row));
  expect(notificationsOf(notifier, id)).toEqual([first, ...others]);
});
