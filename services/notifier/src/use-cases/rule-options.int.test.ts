import { randomUUID } from 'node:crypto';
import { previewAlertRule } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { checkedAgain, idsOf, newSetup, notificationsOf, until } from '../testing/checks';
import { fakeReminders, type FakeReminders } from '../testing/fake-reminders';
import { clock, dayMs, key, startByClock, timeOf } from '../testing/moved-clock';
import type { TestNotifier } from '../testing/start-notifier';

let notifier: TestNotifier;
let fakes: FakeReminders;

beforeAll(async () => {
  notifier = await startByClock();
  fakes = fakeReminders(notifier.bus);
});
afterAll(() => notifier?.stop());
beforeEach(() => {
  clock.ahead = 0;
  fakes.away.clear();
});

describe('AL9: a rule with an owner or labels', () => {
  test('reports their services alone; one that gets the owner later is reported with what is open', async () => {
    const { project_id } = newSetup(notifier);
    const services = Array.from({ length: 4 }, () => notifier.reconciler.newService(project_id));
    const rows = services.map((service) => notifier.reconciler.open(service, 'high'));
    const owner = `Team ${project_id}`;
    fakes.owned.set(owner, services.slice(0, 3));
    const { id } = await notifier.newRule({ project_id, config: { owner } });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(...rows.slice(0, 3))]);
    fakes.owned.set(owner, services);
    await until('another message', () => notifier.sink.sentBy(id).length > 1);
    await checkedAgain(notifier, project_id);
    expect(notificationsOf(notifier, id)[1]).toEqual(idsOf(rows[3]!));
    fakes.owned.set(owner, []);
    notifier.reconciler.open(services[0]!, 'critical');
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id)).toHaveLength(2);
  });

  test('says in its preview how many services they name: with none, nothing new is no good news', async () => {
    const { project_id, service } = newSetup(notifier);
    notifier.reconciler.open(service, 'high');
    const owner = `Team ${project_id}`;
    const preview = async (config: Record<string, unknown>) => {
      const { id } = await notifier.newRule({ project_id, config, enabled: false });
      return (await notifier.bus.request(previewAlertRule, { alert_id: id, of_project: null }))
        .body;
    };
    expect(await preview({ owner })).toMatchObject({ can_send: true, total: 0, services: 0 });
    fakes.owned.set(owner, [service]);
    expect(await preview({ owner })).toMatchObject({ total: 1, services: 1 });
    expect(await preview({})).toMatchObject({ total: 1, services: null });
  });

  test('whose channel fails for more than a day does not give up a service that has just got the owner', async () => {
    const { project_id, service } = newSetup(notifier);
    const late = notifier.reconciler.newService(project_id);
    const old = notifier.reconciler.open(late, 'critical');
    const owner = `Team ${project_id}`;
    fakes.owned.set(owner, [service]);
    const target = `away ${project_id}`;
    notifier.sink.answer(target, async () => ({ kind: 'failed', reason: 'It is away.' }));
    const { id } = await notifier.newRule({ project_id, config: { owner, target } });
    const outcomes = async () =>
      (await notifier.deliveries.find({ rule_id: id }).toArray()).map(({ outcome }) => outcome);
    // Attempts with an hour or more between them are no series.
    for (let passed = 0; passed < dayMs + 3_000_000; passed += 3_000_000) {
      clock.ahead = passed;
      const row = notifier.reconciler.open(service, 'high');
      row.since.high = clock.now().toISOString();
      const before = notifier.sink.attemptsOf(id).length;
      await until('an attempt', () => notifier.sink.attemptsOf(id).length > before + 1);
    }
    expect(new Set(await outcomes())).toEqual(new Set(['failed', 'given_up']));
    const givenUp = (await outcomes()).filter((outcome) => outcome === 'given_up').length;
    fakes.owned.set(owner, [service, late]);
    const names = () => notifier.sink.attemptsOf(id).at(-1)?.digest.top ?? [];
    await until('an attempt with the service', () =>
      names().some(({ vulnerability_id }) => vulnerability_id === old.id),
    );
    await checkedAgain(notifier, project_id);
    expect((await outcomes()).filter((outcome) => outcome === 'given_up')).toHaveLength(givenUp);
    notifier.sink.answer(target, async () => ({ kind: 'sent' }));
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    expect(notificationsOf(notifier, id).flat()).toContain(old.id);
  });

  test('waits for a catalog that is away, and loses nothing', async () => {
    const { project_id, service } = newSetup(notifier);
    fakes.owned.set('label', [service]);
    fakes.away.add('catalog');
    const row = notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id, config: { labels: ['label'] } });
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id)).toEqual([]);
    fakes.away.clear();
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
  });
});

describe('AL10: in quiet hours', () => {
  test('nothing is sent, and then everything in one message', async () => {
    const { project_id, service } = newSetup(notifier);
    const [from, to] = [
      new Date(clock.now().getTime() - 3_600_000),
      new Date(clock.now().getTime() + 3_600_000),
    ];
    const quiet_hours = { from: timeOf(from), to: timeOf(to), time_zone: 'UTC' };
    const { id } = await notifier.newRule({ project_id, config: { quiet_hours } });
    const other = await notifier.newRule({ project_id });
    const rows = [notifier.reconciler.open(service, 'high')];
    await until('the other rule sends', () => notifier.sink.sentBy(other.id).length > 0);
    rows.push(notifier.reconciler.open(service, 'critical'));
    await until('it sends again', () => notifier.sink.sentBy(other.id).length > 1);
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id)).toEqual([]);
    clock.ahead = 2 * 3_600_000;
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(...rows)]);
  });

  test('a failed message is not repeated until they are over', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    notifier.sink.answer(target, async () => ({ kind: 'failed', reason: 'Nobody is there.' }));
    const row = notifier.reconciler.open(service, 'high');
    const begin = new Date(clock.now().getTime() + 3_600_000);
    const end = new Date(begin.getTime() + 3_600_000);
    const quiet_hours = { from: timeOf(begin), to: timeOf(end), time_zone: 'UTC' };
    const { id } = await notifier.newRule({ project_id, config: { target, quiet_hours } });
    await until('attempts', () => notifier.sink.attemptsOf(id).length > 1);
    clock.ahead = 1.5 * 3_600_000;
    await eventually(
      async () =>
        expect((await notifier.rules.findOne({ _id: id }))?.retry_state).toMatchObject({
          next_attempt_at: null,
        }),
      { what: 'it waits' },
    );
    const before = notifier.sink.attemptsOf(id).length;
    notifier.sink.answer(target, async () => ({ kind: 'sent' }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(notifier.sink.attemptsOf(id)).toHaveLength(before);
    clock.ahead = 2.5 * 3_600_000;
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
  });

  test('a message that failed before them is not given up at the first failure afterwards', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    notifier.sink.answer(target, async () => ({ kind: 'failed', reason: 'Nobody is there.' }));
    const row = notifier.reconciler.open(service, 'high');
    // All day but for these minutes.
    const from = timeOf(new Date(clock.now().getTime() + 10 * 60_000));
    const quiet_hours = { from, to: timeOf(clock.now()), time_zone: 'UTC' };
    const { id } = await notifier.newRule({ project_id, config: { target, quiet_hours } });
    await until('attempts', () => notifier.sink.attemptsOf(id).length > 1);
    clock.ahead = dayMs / 2;
    await eventually(
      async () =>
        expect((await notifier.rules.findOne({ _id: id }))?.retry_state).toMatchObject({
          next_attempt_at: null,
        }),
      { what: 'it waits' },
    );
    const before = notifier.sink.attemptsOf(id).length;
    clock.ahead = dayMs;
    await until('another attempt', () => notifier.sink.attemptsOf(id).length > before);
    await checkedAgain(notifier, project_id);
    const outcomes = await notifier.deliveries.distinct('outcome', { rule_id: id });
    expect(outcomes).toEqual(['failed']);
    notifier.sink.answer(target, async () => ({ kind: 'sent' }));
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
  });
});

test('AL11: a digest has everything since the last one, once, and none if there is nothing', async () => {
  const { project_id, service } = newSetup(notifier);
  const at = timeOf(new Date(clock.now().getTime() + 2 * 60_000));
  const digest = { every: 'day', at, time_zone: 'UTC' };
  const { id } = await notifier.newRule({ project_id, config: { digest } });
  const other = await notifier.newRule({ project_id });
  const rows = [notifier.reconciler.open(service, 'high')];
  await until('the other rule sends', () => notifier.sink.sentBy(other.id).length > 0);
  rows.push(notifier.reconciler.open(service, 'high'));
  await until('it sends again', () => notifier.sink.sentBy(other.id).length > 1);
  expect(notifier.sink.sentBy(id)).toEqual([]);
  clock.ahead = 3 * 60_000;
  await until('the digest', () => notifier.sink.sentBy(id).length > 0);
  const later = notifier.reconciler.open(service, 'high');
  await until('the other rule sends', () => notifier.sink.sentBy(other.id).length > 2);
  await checkedAgain(notifier, project_id);
  expect(notificationsOf(notifier, id)).toEqual([idsOf(...rows)]);
  clock.ahead += dayMs;
  await until('the next digest', () => notifier.sink.sentBy(id).length > 1);
  expect(notificationsOf(notifier, id)[1]).toEqual(idsOf(later));
  const served = (await notifier.rules.findOne({ _id: id }))?.digested_to;
  clock.ahead += dayMs;
  await eventually(
    async () =>
      expect((await notifier.rules.findOne({ _id: id }))?.digested_to).not.toEqual(served),
    { what: 'a digest without anything' },
  );
  expect(notifier.sink.sentBy(id)).toHaveLength(2);
});

test('a preview has what is new and what it reminds of, and lists of rules their options', async () => {
  const { project_id } = newSetup(notifier);
  fakes.keys.set(project_id, [key('CI', 1)]);
  const config = { reminders: true, owner: ' Team A ', labels: ['pci'] };
  const { id } = await notifier.newRule({ project_id, config, enabled: false });
  const { body } = await notifier.bus.request(previewAlertRule, { alert_id: id, of_project: null });
  expect(body).toMatchObject({ total: 0, reminders: [{ kind: 'api_key', subject: 'CI' }] });
  expect(body.text).toContain('bt_abcdefghijkl');
  await notifier.update(id, { config: { ...config, installation: true } });
  fakes.away.add('scanner');
  await expect(
    notifier.bus.request(previewAlertRule, { alert_id: id, of_project: null }),
  ).rejects.toMatchObject({ code: 'service_unavailable' });
  await notifier.update(id, { config });
  const { items } = await notifier.list({ project_id });
  expect(items[0]?.options).toEqual({
    owner: 'Team A',
    labels: ['pci'],
    quiet_hours: null,
    digest: null,
    reminder_days: 7,
    installation: false,
  });
  await notifier.update(id, { config: {} });
  expect((await notifier.list({ project_id })).items[0]?.options.owner).toBeNull();
});
