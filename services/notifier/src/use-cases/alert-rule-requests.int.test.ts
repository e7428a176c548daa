import { randomUUID } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import type { AppError, NewAlertRule, Severity } from '@bomtrail/messages';
import {
  eventually,
  startMailSink,
  startSlackFake,
  type MailSink,
  type WebhookFake,
} from '@bomtrail/testkit';
import { createChannels } from '../channels/create-channels';
import { createSendBudget } from '../store/send-budget';
import { notificationKey } from '../domain/notification-key';
import type { FakeVulnerability } from '../testing/fake-reconciler';
import { startNotifier, type TestNotifier } from '../testing/start-notifier';

let notifier: TestNotifier;
let mail: MailSink;
let slack: WebhookFake;

const checkSeconds = 24 * 3600;
const notFound = { code: 'alert_rule_not_found' };

beforeAll(async () => {
  const refuses = (recipient: string) => (recipient.startsWith('gone') ? 550 : undefined);
  [mail, slack] = await Promise.all([startMailSink({ refuses }), startSlackFake()]);
  const server = { host: '127.0.0.1', port: mail.port, tls: 'none', login: undefined } as const;
  const channels = createChannels({
    email: {
      server,
      from: { name: 'bomtrail', address: 'alerts@example.org' },
      recipients: [],
      domains: [],
    },
    slackUrl: undefined,
    discordUrl: undefined,
    anyAddress: true,
  });
  const parts = <Own>(own: Own) => ({ ...own, channels });
  notifier = await startNotifier({ processes: 2, instead: { checkSeconds, parts } });
});
afterAll(async () => {
  await notifier?.stop();
  await mail?.stop();
  await slack?.stop();
});

/** A service with vulnerabilities of these severities, in a project that the catalog knows or not. */
function projectWith(severities: Severity[], id: string = notifier.newProject()) {
  const serviceId = notifier.reconciler.newService(id, 'Checkout');
  const rows = severities.map((severity) => notifier.reconciler.open(serviceId, severity));
  return { id, serviceId, rows };
}

const newRule = async (rule: Partial<NewAlertRule>) => (await notifier.newRule(rule)).id;
const ask = {
  test: async (alert_id: string, of_project: string | null = null, key_id = randomUUID()) =>
    (await notifier.bus.request(messages.testAlertRule, { alert_id, of_project, key_id })).body,
  preview: async (alert_id: string, of_project: string | null = null) =>
    (await notifier.bus.request(messages.previewAlertRule, { alert_id, of_project })).body,
  deliveries: async (alert_id: string, page = 1, of_project: string | null = null) => {
    const query = { alert_id, of_project, page, per_page: 2 };
    return (await notifier.bus.request(messages.listDeliveries, query)).body;
  },
};

/** Lets a rule be tested again at once. */
async function forgetTest(alertId: string): Promise<void> {
  const tested_at = new Date(Date.now() - messages.secondsBetweenTests * 1000);
  await notifier.rules.updateOne({ _id: alertId }, { $set: { tested_at } });
}

describe('a test of a rule', () => {
  test('reaches the recipients of the rule, even if disabled, and is marked as a test', async () => {
    const project_id = notifier.newProject();
    const to = `${randomUUID()}@example.org`;
    const config = { recipients: [to] };
    const id = await newRule({ project_id, severity_threshold: 'low', config, enabled: false });
    const tested = await ask.test(id);
    expect(tested).toMatchObject({
      channel: 'email',
      kind: 'test',
      outcome: 'sent',
      reason: null,
      total: 1,
      counts: { low: 1 },
      next_attempt_at: null,
    });
    const mails = mail.accepted.filter(({ recipients }) => recipients.includes(to));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.headers.get('subject')?.[0]).toMatch(/test.*Project/i);
    expect(mails[0]?.text).toContain('A sample: nothing was found');
    expect((await ask.deliveries(id)).items).toEqual([tested]);
  });

  test('reports rejected recipients although it was sent', async () => {
    const recipients = [`${randomUUID()}@example.org`, 'gone@example.org'];
    const id = await newRule({ project_id: notifier.newProject(), config: { recipients } });
    const tested = await ask.test(id);
    expect(tested).toMatchObject({
      outcome: 'sent',
      reason: 'The mail server rejected 1 of 2 recipients.',
    });
  });

  test('of an unconfigured channel names the missing setting', async () => {
    const id = await newRule({ project_id: notifier.newProject(), notification_type: 'discord' });
    const tested = await ask.test(id);
    expect(tested).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/DISCORD_WEBHOOK_URL is not set.*no webhook_url/),
    });
    expect(await ask.preview(id)).toMatchObject({ can_send: false, reason: tested.reason });
  });

  test('of a webhook that does not exist any more is failed, without its address', async () => {
    const webhook_url = slack.url('one').replace('/services/', '/s3cret/');
    const config = { webhook_url };
    const rule = { notification_type: 'slack', config } as const;
    const id = await newRule({ project_id: notifier.newProject(), ...rule });
    const tested = await ask.test(id);
    expect(tested).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/404/) });
    expect(await ask.preview(id)).toMatchObject({ can_send: true, reason: null });
    const stored = await notifier.deliveries.find({ rule_id: id }).toArray();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify([tested, stored])).not.toContain('s3cret');
  });

  test('is made once in ten seconds, however many ask at once, and then again', async () => {
    const channel = randomUUID();
    const config = { webhook_url: slack.url(channel) };
    const rule = { notification_type: 'slack', config } as const;
    const id = await newRule({ project_id: notifier.newProject(), ...rule });
    const sent = () => slack.accepted.filter((message) => message.channel === channel).length;
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => ask.test(id)));
    const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.map((error: AppError) => error.code)).toEqual(Array(9).fill('rate_limited'));
    expect(sent()).toBe(1);
    await forgetTest(id);
    expect(await ask.test(id)).toMatchObject({ outcome: 'sent' });
    expect(sent()).toBe(2);
  });

  test.each(['key', 'project', 'receiver'] as const)(
    'is made twenty times an hour for one %s, over all processes',
    async (what) => {
      const shared = { key: randomUUID(), project: notifier.newProject(), receiver: randomUUID() };
      const test = async () => {
        const other = { key: randomUUID(), project: notifier.newProject(), receiver: randomUUID() };
        const by = { ...other, [what]: shared[what] };
        const recipients = [`${by.receiver}@example.org`, `${randomUUID()}@example.org`];
        const id = await newRule({ project_id: by.project, config: { recipients } });
        return ask.test(id, null, by.key);
      };
      const tries = await Promise.allSettled(Array.from({ length: 22 }, test));
      const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(refused).toHaveLength(2);
      for (const error of refused as AppError[]) {
        expect(error).toMatchObject({
          code: 'rate_limited',
          message: expect.stringContaining('20'),
        });
        expect(error.retryAfterSeconds).toBeGreaterThan(3_000);
        expect(error.retryAfterSeconds).toBeLessThanOrEqual(3_600);
      }
    },
  );

  test('that is refused takes nothing from the budgets that have room, and there is room again', async () => {
    const { db } = notifier;
    const budget = createSendBudget({ db, client: db.client }, { messages: 2, windowSeconds: 2 });
    const [spent, other] = [randomUUID(), randomUUID()];
    expect([await budget.take([spent]), await budget.take([spent, spent])]).toEqual([0, 0]);
    for (let count = 0; count < 3; count++)
      expect(await budget.take([other, spent])).toBeGreaterThan(0);
    expect([await budget.take([other]), await budget.take([other])]).toEqual([0, 0]);
    expect(await budget.take([other])).toBeGreaterThan(0);
    await eventually(async () => (await budget.take([spent])) === 0, {
      what: 'there is room again',
    });
  });

  test('is not refused for a year because a clock was a year ahead when its budget was used', async () => {
    const { db } = notifier;
    const budget = createSendBudget({ db, client: db.client }, { messages: 2 });
    const name = randomUUID();
    expect([await budget.take([name]), await budget.take([name])]).toEqual([0, 0]);
    expect(await budget.take([name])).toBeGreaterThan(3_500);
    const expire = new Date(Date.now() + 365 * 24 * 3_600_000);
    await db.collection('send_counts').updateOne({ key: name }, { $set: { expire } });
    expect([await budget.take([name]), await budget.take([name])]).toEqual([0, 0]);
    expect(await budget.take([name])).toBeLessThanOrEqual(3_600);
  });

  test('marks nothing as reported', async () => {
    const { id: project_id } = projectWith(['critical']);
    const config = { recipients: [`${randomUUID()}@example.org`] };
    const id = await newRule({ project_id, config, enabled: false });
    await ask.test(id);
    expect(await ask.preview(id)).toMatchObject({ total: 1 });
    expect(await notifier.notifications.countDocuments({ rule_id: id })).toBe(0);
  });
});

describe('a preview of a rule', () => {
  test('counts all vulnerabilities and names ten, the most severe first', async () => {
    const few = Array.from({ length: 11 }, () => 'high' as const);
    const { id: project_id, rows } = projectWith([...few, 'critical']);
    const worst = rows.at(-1) as FakeVulnerability;
    const id = await newRule({ project_id, config: { recipients: ['a@example.org'] } });
    const shown = await ask.preview(id);
    expect(shown).toMatchObject({ can_send: true, reason: null, total: 12 });
    expect(shown.counts).toEqual({ critical: 1, high: 11 });
    expect(shown.top).toHaveLength(10);
    expect(shown.top[0]).toEqual({
      vulnerability_id: worst.id,
      severity: 'critical',
      cvss_score: null,
      cve_id: worst.cve_id,
      title: 'A title',
      service_name: 'Checkout',
      package_name: 'left-pad',
      package_version: '1.0.0',
      fixed_versions: ['1.0.1'],
      kev: null,
      epss_score: null,
      reporting_deadlines: null,
    });
    expect(shown.text).toMatch(/12 new vulnerabilities in Project [\s\S]*and 2 more/);
  });

  test('omits reported vulnerabilities, sends nothing and stores nothing', async () => {
    const { id: project_id, serviceId: service_id, rows } = projectWith(['high', 'high']);
    const [first, second] = rows as [FakeVulnerability, FakeVulnerability];
    const config = { recipients: [`${randomUUID()}@example.org`] };
    const id = await newRule({ project_id, config, enabled: false });
    await notifier.notifications.insertOne({
      _id: notificationKey(id, first.id, first.since.high ?? ''),
      rule_id: id,
      project_id,
      service_id,
      vulnerability_id: first.id,
      severity: 'high',
      outcome: 'notified',
      delivery_id: randomUUID(),
      at: new Date(),
    });
    const before = await storedOf(id);
    const shown = await ask.preview(id);
    expect(shown.top.map((item) => item.vulnerability_id)).toEqual([second.id]);
    expect(await ask.preview(id)).toEqual(shown);
    expect(await storedOf(id)).toEqual(before);
    expect(mail.accepted.flatMap(({ recipients }) => recipients)).not.toContain(
      config.recipients[0],
    );
  });

  test('has no text if nothing is new', async () => {
    const id = await newRule({ project_id: notifier.newProject(), config: {} });
    expect(await ask.preview(id)).toEqual({
      can_send: false,
      reason: expect.stringMatching(/ALERT_EMAIL_TO is not set/),
      total: 0,
      services: null,
      counts: {},
      top: [],
      reminders: [],
      text: null,
    });
  });
});

/** Everything that is stored of a rule. */
function storedOf(rule_id: string) {
  const { rules, notifications, marks, deliveries } = notifier;
  const kept = [notifications, marks, deliveries].map((one) =>
    one.find({ rule_id } as object).toArray(),
  );
  return Promise.all([rules.findOne({ _id: rule_id }), ...kept]);
}

test('deliveries are listed newest first, page by page, those of other rules are not', async () => {
  const project_id = notifier.newProject();
  const [id, other] = [await newRule({ project_id }), await newRule({ project_id })];
  const made = [];
  for (let count = 0; count < 3; count++) {
    made.unshift(await ask.test(id));
    await forgetTest(id);
  }
  expect(await ask.deliveries(id)).toEqual({ items: made.slice(0, 2), total: 3 });
  expect(await ask.deliveries(id, 2)).toEqual({ items: made.slice(2), total: 3 });
  expect(await ask.deliveries(other)).toEqual({ items: [], total: 0 });
});

test('deliveries from a former project of a rule are not visible', async () => {
  const [from, to] = [notifier.newProject(), notifier.newProject()];
  const id = await newRule({ project_id: from });
  await ask.test(id);
  await notifier.update(id, { project_id: to });
  expect(await ask.deliveries(id, 1, to)).toEqual({ items: [], total: 0 });
  expect(await ask.deliveries(id)).toMatchObject({ total: 1 });
});

describe('a rule that is not there', () => {
  const askAll = (id: string, of: string | null) =>
    Promise.allSettled([ask.test(id, of), ask.preview(id, of), ask.deliveries(id, 1, of)]);
  const refusedAll = Array(3).fill({ status: 'rejected', reason: notFound });

  test('rejects every request', async () => {
    expect(await askAll(randomUUID(), null)).toMatchObject(refusedAll);
  });

  test('includes rules of other projects: no data, and no test is counted', async () => {
    const [own, foreign] = [notifier.newProject(), notifier.newProject()];
    const id = await newRule({ project_id: own });
    expect(await askAll(id, foreign)).toMatchObject(refusedAll);
    expect(await ask.test(id, own)).toMatchObject({ kind: 'test' });
    expect(await ask.deliveries(id, 1, own)).toMatchObject({ total: 1 });
  });

  test('is one whose project is being deleted, too', async () => {
    const id = await newRule({ project_id: notifier.newProject() });
    const { id: project_id } = projectWith(['high'], randomUUID());
    await notifier.rules.updateOne({ _id: id }, { $set: { project_id } });
    await expect(ask.test(id)).rejects.toMatchObject(notFound);
    await expect(ask.preview(id)).rejects.toMatchObject(notFound);
  });
});
