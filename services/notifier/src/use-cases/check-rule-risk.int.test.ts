import { eventually } from '@bomtrail/testkit';
import { startNotifier, type TestNotifier } from '../testing/start-notifier';

let notifier: TestNotifier;

beforeAll(async () => {
  notifier = await startNotifier({ instead: { checkSeconds: 0.05 } });
});
afterAll(() => notifier?.stop());

/** A project with one service. */
function newSetup() {
  const project_id = notifier.newProject();
  return { project_id, service: notifier.reconciler.newService(project_id) };
}

const until = (what: string, check: () => boolean) =>
  eventually(() => void expect(check()).toBeTruthy(), { what });

/** Until the rules of a project were checked twice more. */
async function checkedAgain(projectId: string): Promise<void> {
  const looks = () => notifier.reconciler.requested.states.filter((id) => id === projectId).length;
  const before = looks();
  await until('further checks', () => looks() >= before + 3);
}

/** The ids that a rule's messages named, message by message. */
const notificationsOf = (ruleId: string) =>
  notifier.sink
    .sentBy(ruleId)
    .map(({ digest }) => digest.top.map(({ vulnerability_id }) => vulnerability_id).sort());
const idsOf = (...rows: { id: string }[]) => rows.map(({ id }) => id).sort();

test('AL6 a rule reports what becomes known to be exploited months after it was reported, once', async () => {
  const { project_id, service } = newSetup();
  const old = notifier.reconciler.open(service, 'high');
  const low = notifier.reconciler.open(service, 'low');
  const exploited = notifier.reconciler.open(service, 'medium');
  notifier.reconciler.rate(exploited, { kev: '2026-01-01' });
  const plain = await notifier.newRule({ project_id });
  const { id } = await notifier.newRule({ project_id, config: { kev: true } });
  await until('the first messages', () => notificationsOf(id).length === 1);
  notifier.reconciler.rate(old, { kev: '2026-05-01' });
  await until('the second message', () => notificationsOf(id).length === 2);
  notifier.reconciler.rate(low, { kev: '2026-06-01' });
  await until('the third message', () => notificationsOf(id).length === 3);
  for (const row of [old, low]) {
    notifier.reconciler.rate(row, { kev: null });
    notifier.reconciler.rate(row, { kev: '2026-05-01' });
  }
  notifier.reconciler.judge(service, low, 'none');
  await checkedAgain(project_id);
  expect(notificationsOf(id)).toEqual([idsOf(old, exploited), idsOf(old), idsOf(low)]);
  expect(notificationsOf(plain.id)).toEqual([idsOf(old)]);
  const [, second] = notifier.sink.sentBy(id);
  expect(second?.digest.top).toMatchObject([{ kev: { date_added: '2026-05-01' } }]);
  notifier.reconciler.close(service, low.id);
  notifier.reconciler.rate(notifier.reconciler.open(service, 'low', low.id), {
    kev: '2026-06-01',
  });
  await until('reopened, it is reported again', () => notificationsOf(id).length === 4);
});

test('AL6 a rule reports a score that rises over its bound once, however often it does', async () => {
  const { project_id, service } = newSetup();
  const row = notifier.reconciler.open(service, 'low');
  notifier.reconciler.rate(row, { epss: 0.2 });
  const config = { by_severity: false, min_epss: 0.5 };
  const { id } = await notifier.newRule({ project_id, config });
  notifier.reconciler.open(service, 'critical');
  await checkedAgain(project_id);
  expect(notificationsOf(id)).toEqual([]);
  for (const epss of [0.5, 0.4, 0.6, 0.1, 0.9]) {
    notifier.reconciler.rate(row, { epss });
    await checkedAgain(project_id);
  }
  expect(notificationsOf(id)).toEqual([idsOf(row)]);
});

test('AL6 a rule with a new reason reports only what it has not, and nothing without one', async () => {
  const { project_id, service } = newSetup();
  const rows = ['critical', 'low'].map((severity) =>
    notifier.reconciler.open(service, severity as 'critical' | 'low'),
  );
  for (const row of rows) notifier.reconciler.rate(row, { kev: '2026-01-01' });
  const { id } = await notifier.newRule({ project_id });
  await until('the first message', () => notificationsOf(id).length === 1);
  await notifier.update(id, { config: { kev: true } });
  await until('the second message', () => notificationsOf(id).length === 2);
  await notifier.update(id, { config: {} });
  await checkedAgain(project_id);
  const [first, ...others] = rows.map((row) => idsOf(row));
  expect(notificationsOf(id)).toEqual([first, ...others]);
});
