import { randomUUID } from 'node:crypto';
import { AppError } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { createSendBudget } from '../store/send-budget';
import { checkedAgain, idsOf, newSetup, notificationsOf, until } from '../testing/checks';
import { startNotifier, type TestNotifier } from '../testing/start-notifier';

let notifier: TestNotifier;

beforeAll(async () => {
  const times = { shortestMs: 100, longestMs: 200, giveUpMs: 24 * 3_600_000 };
  notifier = await startNotifier({ instead: { checkSeconds: 0.05, times } });
});
afterAll(() => notifier?.stop());

describe('a rule', () => {
  test('reports all active vulnerabilities at or above its threshold in its first message', async () => {
    const { project_id, service } = newSetup(notifier);
    const own = notifier.reconciler.newService(project_id, null);
    const rows = Array.from({ length: 11 }, () => notifier.reconciler.open(service, 'high'));
    const worst = notifier.reconciler.open(own, 'critical');
    notifier.reconciler.open(service, 'medium');
    const { id } = await notifier.newRule({ project_id });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    const [message, ...others] = notifier.sink.sentBy(id);
    expect(others).toEqual([]);
    expect(message?.digest).toMatchObject({
      kind: 'alert',
      rule: { id, threshold: 'high', channel: 'email' },
      project: { id: project_id, name: `Project ${project_id}` },
      total: 12,
      counts: { critical: 1, high: 11 },
      link: null,
    });
    const { top = [], key } = message?.digest ?? {};
    const named = rows.map(({ cve_id }) => cve_id).sort();
    expect(top.map(({ cve_id }) => cve_id)).toEqual([worst.cve_id, ...named.slice(0, 9)]);
    expect(top[0]?.service_name).toBe(`Project ${project_id}`);
    expect(top[1]?.service_name).toBe('web');
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(await notifier.notifications.countDocuments({ rule_id: id, outcome: 'notified' })).toBe(
      12,
    );
    expect(await notifier.deliveries.find({ rule_id: id }).toArray()).toMatchObject([
      {
        outcome: 'sent',
        kind: 'alert',
        reason: null,
        total: 12,
        counts: { critical: 1, high: 11 },
      },
    ]);
  });

  test('reports later vulnerabilities separately, and re-opened ones again', async () => {
    const { project_id, service } = newSetup(notifier);
    const { id } = await notifier.newRule({ project_id });
    await checkedAgain(notifier, project_id);
    const first = notifier.reconciler.open(service, 'critical');
    await until('the first', () => notificationsOf(notifier, id).length === 1);
    const second = notifier.reconciler.open(service, 'high');
    await until('the second', () => notificationsOf(notifier, id).length === 2);
    notifier.reconciler.close(service, first.id);
    await checkedAgain(notifier, project_id);
    notifier.reconciler.open(service, 'critical', first.id);
    await until('the first again', () => notificationsOf(notifier, id).length === 3);
    await checkedAgain(notifier, project_id);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(first), idsOf(second), idsOf(first)]);
  });

  test('reports a vulnerability raised over its threshold once', async () => {
    const { project_id, service } = newSetup(notifier);
    const row = notifier.reconciler.open(service, 'medium');
    const { id } = await notifier.newRule({ project_id });
    await checkedAgain(notifier, project_id);
    expect(notificationsOf(notifier, id)).toEqual([]);
    for (const severity of ['critical', 'high', 'critical', 'medium'] as const) {
      notifier.reconciler.judge(service, row, severity);
      await checkedAgain(notifier, project_id);
    }
    expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
  });

  test('that was disabled reports what appeared meanwhile, without repetitions', async () => {
    const { project_id, service } = newSetup(notifier);
    const before = notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id });
    await until('the first message', () => notificationsOf(notifier, id).length === 1);
    await notifier.update(id, { enabled: false });
    const meanwhile = notifier.reconciler.open(service, 'high');
    const other = await notifier.newRule({ project_id });
    await until('another rule tells both', () => notificationsOf(notifier, other.id).length === 1);
    await notifier.update(id, { enabled: true });
    await until('the second message', () => notificationsOf(notifier, id).length === 2);
    await checkedAgain(notifier, project_id);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(before), idsOf(meanwhile)]);
  });

  test('with a lowered threshold reports the difference, and nothing when it is raised', async () => {
    const { project_id, service } = newSetup(notifier);
    const high = notifier.reconciler.open(service, 'high');
    const low = notifier.reconciler.open(service, 'unknown');
    const raised = notifier.reconciler.open(service, 'medium');
    notifier.reconciler.judge(service, raised, 'critical');
    const { id } = await notifier.newRule({ project_id });
    await until('the first message', () => notificationsOf(notifier, id).length === 1);
    for (const severity_threshold of ['low', 'critical', 'medium'] as const) {
      await notifier.update(id, { severity_threshold });
      await checkedAgain(notifier, project_id);
    }
    expect(notificationsOf(notifier, id)).toEqual([idsOf(high, raised), idsOf(low)]);
  });

  test('does not read a service again whose state has not changed', async () => {
    const { project_id, service } = newSetup(notifier);
    const other = notifier.reconciler.newService(project_id);
    notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id });
    await until('a message', () => notificationsOf(notifier, id).length === 1);
    await checkedAgain(notifier, project_id);
    const readings = (of: string) =>
      notifier.reconciler.requested.services.filter((id) => id === of).length;
    const before = [readings(service), readings(other)];
    notifier.reconciler.open(other, 'low');
    await checkedAgain(notifier, project_id);
    expect([readings(service), readings(other)]).toEqual([before[0], Number(before[1]) + 1]);
  });

  test('reads results larger than a page, from more services than one request may name', async () => {
    const project_id = notifier.newProject();
    const services = Array.from({ length: 250 }, () => notifier.reconciler.newService(project_id));
    for (const service of services)
      for (let row = 0; row < 9; row++) notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id });
    await until('a message', () => notifier.sink.sentBy(id).length > 0);
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id).map(({ digest }) => digest.total)).toEqual([2250]);
    expect(await notifier.notifications.countDocuments({ rule_id: id })).toBe(2250);
    expect(await notifier.marks.countDocuments({ rule_id: id })).toBe(250);
  });

  test('reports at most about 10,000 at once, and the rest at the next check', async () => {
    const { project_id, service } = newSetup(notifier);
    for (let row = 0; row < 10_500; row++) notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id });
    await until('two messages', () => notifier.sink.sentBy(id).length === 2);
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.sentBy(id).map(({ digest }) => digest.total)).toEqual([10_000, 500]);
    expect(await notifier.notifications.countDocuments({ rule_id: id })).toBe(10_500);
  });
});

describe('a message that cannot be sent', () => {
  test('is retried with everything that is new then', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    let failing = true;
    notifier.sink.answer(target, async () =>
      failing ? { kind: 'failed', reason: 'The server said no.' } : { kind: 'sent' },
    );
    const first = notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id, config: { target } });
    await until('several attempts', () => notifier.sink.attemptsOf(id).length >= 3);
    const age = 'bomtrail_alert_oldest_undelivered_seconds{channel="email"';
    expect(await notifier.metric(age)).toBeGreaterThan(0);
    const second = notifier.reconciler.open(service, 'critical');
    failing = false;
    await until('a message', () => notificationsOf(notifier, id).length > 0);
    await checkedAgain(notifier, project_id);
    const sent = notificationsOf(notifier, id);
    // An attempt may have been on its way when the second one was opened.
    expect(sent.flat().sort()).toEqual(idsOf(first, second));
    const stored = await notifier.deliveries.find({ rule_id: id }).sort({ at: 1 }).toArray();
    expect(stored.slice(0, 2)).toMatchObject([
      { outcome: 'failed', reason: 'The server said no.', next_attempt_at: expect.any(Date) },
      { outcome: 'failed', total: 1 },
    ]);
    expect(stored.filter(({ outcome }) => outcome === 'sent')).toHaveLength(sent.length);
    expect((await notifier.rules.findOne({ _id: id }))?.retry_state).toBeUndefined();
    expect(await notifier.metric(age)).toBe(0);
  });

  test('pauses all messages to a target for the time that it requests', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    const retryAfterMs = 800;
    let refusedAt = 0;
    notifier.sink.answer(target, async ({ at }) => {
      if (refusedAt > 0) return { kind: 'sent' };
      refusedAt = at;
      return { kind: 'failed', reason: 'Too many.', retryAfterMs };
    });
    const rules: { id: string }[] = [];
    for (let count = 0; count < 3; count++)
      rules.push(await notifier.newRule({ project_id, config: { target } }));
    notifier.reconciler.open(service, 'high');
    await until('all rules tell', () =>
      rules.every(({ id }) => notificationsOf(notifier, id).length === 1),
    );
    const waits = rules.flatMap(({ id }) =>
      notifier.sink.sentBy(id).map(({ at }) => at - refusedAt),
    );
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(retryAfterMs - 5);
    expect(rules.flatMap(({ id }) => notifier.sink.attemptsOf(id))).toHaveLength(4);
  });

  test('does not delay a rule because of its former target', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    notifier.sink.answer(target, async () => ({
      kind: 'failed',
      reason: 'Too many.',
      retryAfterMs: 3_600_000,
    }));
    const rules: { id: string }[] = [];
    for (let count = 0; count < 3; count++)
      rules.push(await notifier.newRule({ project_id, config: { target } }));
    notifier.reconciler.open(service, 'high');
    const waiting = { project_id, 'retry_state.next_attempt_at': { $gt: new Date() } };
    await eventually(async () => expect(await notifier.rules.countDocuments(waiting)).toBe(3), {
      what: 'all wait',
    });
    expect(rules.flatMap(({ id }) => notifier.sink.attemptsOf(id))).toHaveLength(1);
    for (const { id } of rules) await notifier.update(id, { config: {} });
    await until('all rules tell', () =>
      rules.every(({ id }) => notificationsOf(notifier, id).length === 1),
    );
  });

  test('waits, and stays new, where its receiver has had sixty alerts of the project in this hour', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    const { db } = notifier;
    const budget = createSendBudget({ db, client: db.client }, { messages: 60 });
    for (let sent = 0; sent < 58; sent++) await budget.take([`alert ${project_id} ${target}`]);
    notifier.reconciler.open(service, 'high');
    for (let count = 0; count < 4; count++)
      await notifier.newRule({ project_id, config: { target } });
    const { rules, notifications, deliveries } = notifier;
    const waiting = { project_id, 'retry_state.next_attempt_at': { $gt: new Date() } };
    await eventually(async () => expect(await rules.countDocuments(waiting)).toBe(2), {
      what: 'two rules wait',
    });
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.attempts.filter((attempt) => attempt.target === target)).toHaveLength(2);
    for (const { _id, retry_state } of await rules.find(waiting).toArray()) {
      expect(retry_state).toMatchObject({ failing_since: null, failures: 0 });
      expect(await notifications.countDocuments({ rule_id: _id })).toBe(0);
    }
    expect(await deliveries.countDocuments({ project_id })).toBe(2);
    const elsewhere = newSetup(notifier);
    notifier.reconciler.open(elsewhere.service, 'high');
    const other = await notifier.newRule({ project_id: elsewhere.project_id, config: { target } });
    await until('another project tells', () => notifier.sink.sentBy(other.id).length === 1);
  });

  test('takes nothing from what its receiver may get', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    notifier.sink.answer(target, async () => ({ kind: 'failed', reason: 'Nobody is there.' }));
    notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id, config: { target } });
    await until('attempts', () => notifier.sink.attemptsOf(id).length > 2);
    notifier.sink.answer(target, async () => ({ kind: 'sent' }));
    await until('a message', () => notifier.sink.sentBy(id).length === 1);
    const counted = await notifier.db
      .collection('send_counts')
      .findOne({ key: `alert ${project_id} ${target}` });
    expect(counted).toMatchObject({ points: 1 });
  });

  test('takes nothing either while the names of what it reports cannot be read', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    let failed = 0;
    notifier.reconciler.hooks.beforeGetProject = async () => {
      failed++;
      throw new AppError('service_unavailable');
    };
    notifier.reconciler.open(service, 'high');
    const { id } = await notifier.newRule({ project_id, config: { target } });
    await until('checks', () => failed > 2);
    notifier.reconciler.hooks.beforeGetProject = async () => {};
    await until('a message', () => notifier.sink.sentBy(id).length === 1);
    const counted = await notifier.db
      .collection('send_counts')
      .findOne({ key: `alert ${project_id} ${target}` });
    expect(counted).toMatchObject({ points: 1 });
  });

  test('is tried at once after its rule was changed', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    const hour = 3_600_000;
    notifier.sink.answer(target, async () => ({
      kind: 'failed',
      reason: 'No such hook.',
      retryAfterMs: hour,
    }));
    const { id } = await notifier.newRule({ project_id, config: { target } });
    const row = notifier.reconciler.open(service, 'high');
    await until('an attempt', () => notifier.sink.attemptsOf(id).length === 1);
    await eventually(
      async () => expect((await notifier.rules.findOne({ _id: id }))?.retry_state).toBeDefined(),
      { what: 'its failure is stored' },
    );
    await notifier.update(id, { config: {} });
    await until('a message', () => notificationsOf(notifier, id).length === 1);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
  });

  test('does not hold up other rules while its target hangs', async () => {
    const { project_id, service } = newSetup(notifier);
    const target = randomUUID();
    let letGo: () => void = () => {};
    const held = new Promise<void>((resolve) => (letGo = resolve));
    notifier.sink.answer(target, async () => {
      await held;
      return { kind: 'sent' };
    });
    const hanging = await notifier.newRule({ project_id, config: { target } });
    notifier.reconciler.open(service, 'high');
    await until('it hangs', () => notifier.sink.attemptsOf(hanging.id).length === 1);
    const other = await notifier.newRule({ project_id });
    notifier.reconciler.open(service, 'high');
    await until(
      'the other rule tells',
      () => notificationsOf(notifier, other.id).flat().length === 2,
    );
    await checkedAgain(notifier, project_id);
    expect(notifier.sink.attemptsOf(hanging.id)).toHaveLength(1);
    letGo();
    await until('both are told', () => notificationsOf(notifier, hanging.id).flat().length === 2);
  });
});

describe('a rule whose channel is not configured', () => {
  test('sends nothing, is counted, and reports everything once configured', async () => {
    const { project_id, service } = newSetup(notifier);
    const { id } = await notifier.newRule({
      project_id,
      config: { target: null },
      notification_type: 'slack',
    });
    const row = notifier.reconciler.open(service, 'high');
    const suppressed = 'bomtrail_alerts_suppressed_total{channel="slack",reason="not_configured"';
    await eventually(async () => expect(await notifier.metric(suppressed)).toBeGreaterThan(2), {
      what: 'it is counted at each check',
    });
    const age = 'bomtrail_alert_oldest_undelivered_seconds{channel="slack"';
    expect(await notifier.metric(age)).toBeGreaterThan(0);
    expect(await notifier.deliveries.countDocuments({ rule_id: id })).toBe(0);
    await notifier.update(id, { config: {} });
    await until('a message', () => notificationsOf(notifier, id).length === 1);
    expect(notificationsOf(notifier, id)).toEqual([idsOf(row)]);
  });
});

describe('a check', () => {
  test('is repeated when another service does not respond, and other projects do not wait', async () => {
    const { project_id, service } = newSetup(notifier);
    const other = newSetup(notifier);
    notifier.reconciler.hooks.beforeServiceStates = async (query) => {
      if (query === project_id) throw new AppError('service_unavailable');
    };
    const rule = await notifier.newRule({ project_id });
    const otherRule = await notifier.newRule({ project_id: other.project_id });
    notifier.reconciler.open(service, 'high');
    notifier.reconciler.open(other.service, 'high');
    await until('the other project', () => notificationsOf(notifier, otherRule.id).length === 1);
    expect(notificationsOf(notifier, rule.id)).toEqual([]);
    notifier.reconciler.hooks.beforeServiceStates = async () => {};
    await until('the project', () => notificationsOf(notifier, rule.id).length === 1);
  });
});
