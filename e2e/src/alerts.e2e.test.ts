import { sendForJson, waitForScan } from '@bomtrail/api-client';
import {
  makeAdvisoryFolder,
  type AdvisoryFolder,
  type ModelAdvisory,
} from '@bomtrail/reference-model';
import {
  badDay,
  eventually,
  noFaults,
  startDiscordFake,
  startMailSink,
  startPagerDutyFake,
  startSignedWebhookFake,
  startSlackFake,
  startTeamsFake,
  type MailSink,
  type WebhookFake,
} from '@bomtrail/testkit';
import { alertChannels } from '@bomtrail/messages';
import { MongoClient } from 'mongodb';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAlertCalls, type AlertCalls } from './support/alerts/alert-calls';
import { namesIn, notificationCounts } from './support/alerts/notified-names';
import { showsEvidence } from './support/alerts/shows-evidence';
import { textsOf } from './support/alerts/texts-of';
import { npmDocument } from './support/examples';
import { passwordMark, webhookSecret } from './support/secrets-in-logs';
import { startTestStack, type TestStack } from './support/test-stack';

/** In full: `BOMTRAIL_TEST_ALERT_FINDINGS=1000 BOMTRAIL_TEST_ALERT_SERVICES=20 BOMTRAIL_TEST_ALERT_RULES=30`. */
const { BOMTRAIL_TEST_ALERT_FINDINGS, BOMTRAIL_TEST_ALERT_SERVICES, BOMTRAIL_TEST_ALERT_RULES } =
  process.env;
const findings = Number(BOMTRAIL_TEST_ALERT_FINDINGS ?? 40);
const services = Number(BOMTRAIL_TEST_ALERT_SERVICES ?? 4);
const ruleCount = Number(BOMTRAIL_TEST_ALERT_RULES ?? 2 * alertChannels.length);
const isFull = ruleCount >= 30;
const patienceMs = isFull ? 900_000 : 120_000;
/** A hanging call costs its whole time-out, which is too long for every run. */
const faults = isFull ? badDay : { ...badDay, hanging: 0 };

const publicUrl = 'https://bomtrail.example.org';
const oneOf = (id: string, affects: string, severity: 'critical' | 'medium'): ModelAdvisory => ({
  id,
  aliases: [],
  affects: [affects],
  severity,
  withdrawn: false,
});
/** What comes later: so many that one message names them all. */
const moreFindings = 8;
const flood = Array.from({ length: findings + moreFindings }, (_, n) =>
  oneOf(`CVE-2026-${20_000 + n}`, `flood-${n}@1.0.0`, n % 2 === 0 ? 'critical' : 'medium'),
);
const crossing = oneOf('CVE-2026-30001', 'crossing@1.0.0', 'medium');
const later = oneOf('CVE-2026-30002', 'later@1.0.0', 'critical');
const exploited = oneOf('CVE-2026-30003', 'exploited@1.0.0', 'medium');

const signingKey = `whsec_${passwordMark.repeat(4)}`;

let folder: AdvisoryFolder;
/** CISA's catalog. */
let kev: string;
let running: TestStack;
let calls: AlertCalls;
let slack: WebhookFake;
let discord: WebhookFake;
let teams: WebhookFake;
let webhook: WebhookFake;
let pagerduty: WebhookFake;
let mail: MailSink;

beforeAll(async () => {
  folder = await makeAdvisoryFolder();
  for (const advisory of [...flood, crossing, later, exploited]) await folder.put(advisory);
  kev = path.join(await mkdtemp(path.join(tmpdir(), 'bomtrail-kev-')), 'kev.json');
  await writeCatalog('CVE-2020-0001');
  [slack, discord, teams, webhook, pagerduty, mail] = await Promise.all([
    startSlackFake(),
    startDiscordFake(),
    startTeamsFake(),
    startSignedWebhookFake({ secret: signingKey }),
    startPagerDutyFake(),
    startMailSink(),
  ]);
  running = await startTestStack({
    env: {
      BOMTRAIL_ADVISORY_SOURCE: folder.path,
      BOMTRAIL_KEV_SOURCE: kev,
      BOMTRAIL_FEED_INTERVAL_SECONDS: '2',
      LOG_LEVEL: isFull ? 'info' : 'trace',
      ALERT_CHECK_INTERVAL_SECONDS: '1',
      PUBLIC_URL: publicUrl,
      SLACK_WEBHOOK_URL: slack.url(webhookSecret),
      DISCORD_WEBHOOK_URL: discord.url(webhookSecret),
      TEAMS_WEBHOOK_URL: teams.url(webhookSecret),
      ALERT_WEBHOOK_URL: webhook.url(webhookSecret),
      ALERT_WEBHOOK_SECRET: signingKey,
      PAGERDUTY_EVENTS_URL: pagerduty.url(),
      PAGERDUTY_ROUTING_KEY: passwordMark.repeat(4),
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(mail.port),
      SMTP_TLS: 'none',
      SMTP_FROM: 'alerts@example.org',
      // Half of the rules of a project tell the same channel here.
      ALERT_MESSAGES_PER_HOUR: '100000',
      ALERT_MAX_RULES_PER_PROJECT: '10000',
    },
  });
  calls = createAlertCalls(running.target);
});

afterAll(async () => {
  await running?.stop();
  await Promise.all([...webhooks(), mail].map((fake) => fake?.stop()));
  await folder?.discard();
  await rm(path.dirname(kev), { recursive: true, force: true });
});

function writeCatalog(...cves: string[]): Promise<void> {
  const vulnerabilities = cves.map((cveID) => ({
    cveID,
    dateAdded: '2026-03-02',
    dueDate: '2026-03-23',
    knownRansomwareCampaignUse: 'Unknown',
  }));
  return writeFile(kev, JSON.stringify({ catalogVersion: '1', vulnerabilities }));
}

async function newProject(name: string): Promise<string> {
  return (await running.client.createProject({ name })).id;
}

async function upload(
  project_id: string,
  of: { service_name: string; version?: string; packages: string[] },
): Promise<void> {
  const { service_name, version = '1', packages } = of;
  const file = npmDocument(service_name, packages);
  const { id } = await running.client.upload({ project_id, service_name, version, file });
  await waitForScan(running.client, id, patienceMs);
}

const mailsTo = (address: string) =>
  mail.accepted.filter(({ recipients }) => recipients.includes(address));
const webhooks = () => [slack, discord, teams, webhook, pagerduty];
const accepted = () => [...webhooks().flatMap((fake) => fake.accepted), ...mail.accepted];

/** How many episodes each rule keeps as told, and for how many vulnerabilities. */
async function storedNotifications(ruleIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const file = await readFile(path.join(running.dataDir, 'servers.json'), 'utf8');
  const mongo = await new MongoClient(
    (JSON.parse(file) as { mongoUri: string }).mongoUri,
  ).connect();
  try {
    const { databases } = await mongo.db('admin').admin().listDatabases({ nameOnly: true });
    const own = databases.find(({ name }) => name.endsWith('notifier'));
    const notified = mongo
      .db(own?.name)
      .collection<{ rule_id: string; vulnerability_id: string }>('notifications');
    const byRule = new Map<string, Set<string>>(ruleIds.map((id) => [id, new Set()]));
    for await (const { rule_id, vulnerability_id } of notified.find({
      rule_id: { $in: [...ruleIds] },
    }))
      byRule.get(rule_id)?.add(vulnerability_id);
    return byRule;
  } finally {
    await mongo.close();
  }
}

test(`${findings} findings in ${services} services under ${ruleCount} rules on a bad day of all channels: none is lost, none is told twice, and each rule has one message`, async () => {
  const { client } = running;
  const project_id = await newProject('Flood');
  const packages = flood.map(({ affects }) => affects[0] ?? '');
  const each = Math.ceil(findings / services);
  for (let n = 0; n < services; n++) {
    const own = packages.slice(n * each, Math.min(findings, (n + 1) * each));
    await upload(project_id, { service_name: `svc-${n}`, packages: own });
  }
  const before = accepted().length;
  for (const fake of [...webhooks(), mail]) fake.setFaults(faults);
  const rules = await Promise.all(
    Array.from({ length: ruleCount }, async (_, n) => {
      const channel = alertChannels[n % alertChannels.length] ?? 'email';
      const isLow = Math.floor(n / alertChannels.length) % 2 === 0;
      const severity_threshold = isLow ? ('low' as const) : ('critical' as const);
      const config = channel === 'email' ? { recipients: [`flood-${n}@example.org`] } : {};
      const body = { project_id, severity_threshold, notification_type: channel, config };
      return { id: await calls.create(body), isLow };
    }),
  );
  const critical = flood.slice(0, findings).filter(({ severity }) => severity === 'critical');
  const countsByRule = async (): Promise<number[][]> =>
    Promise.all(
      rules.map(async ({ id }) => (await calls.sent(id)).map(({ total }) => total).reverse()),
    );
  const first = rules.map(({ isLow }) => [isLow ? findings : critical.length]);
  await eventually(async () => expect(await countsByRule()).toEqual(first), {
    what: 'each rule has told everything in one message',
  });
  expect(accepted().length - before).toBe(ruleCount);

  if (!isFull) for (const fake of [...webhooks(), mail]) fake.setFaults(noFaults);
  const more = packages.slice(findings);
  await upload(project_id, { service_name: 'svc-more', packages: more });
  const moreCritical = flood.slice(findings).filter(({ severity }) => severity === 'critical');
  const second = rules.map(({ isLow }, n) => [
    ...(first[n] ?? []),
    isLow ? more.length : moreCritical.length,
  ]);
  await eventually(async () => expect(await countsByRule()).toEqual(second), {
    what: 'each rule has told what came then in one message',
  });
  for (const fake of [...webhooks(), mail]) fake.setFaults(noFaults);
  expect(accepted().length - before).toBe(2 * ruleCount);

  const latest = accepted().filter((message) =>
    namesIn(message).some((name) => flood.slice(findings).some(({ id }) => id === name)),
  );
  const notified = notificationCounts(latest);
  for (const { id, severity } of flood.slice(findings)) {
    const telling = rules.filter(({ isLow }) => isLow || severity === 'critical').length;
    expect([id, notified.get(id)]).toEqual([id, telling]);
  }
  const active = await client.allActive({ project_id });
  expect(active.length).toBe(findings + moreFindings);
  const facts = await storedNotifications(rules.map(({ id }) => id));
  for (const { id, isLow } of rules) {
    const listed = active.filter(({ severity }) => isLow || severity === 'critical');
    expect([...(facts.get(id) ?? [])].sort()).toEqual(listed.map((row) => row.id).sort());
  }
  for (const fake of webhooks()) {
    expect(fake.counts.early).toBe(0);
    expect(fake.refused).toEqual([]);
  }
  const ids = webhook.accepted.map(({ body }) => (body as { id: string }).id);
  const incidents = pagerduty.accepted.map(({ body }) => (body as { dedup_key: string }).dedup_key);
  for (const sent of [ids, incidents]) expect(new Set(sent).size).toBe(sent.length);
  await Promise.all(rules.map(({ id }) => calls.change(id, { enabled: false })));
}, 1_200_000);

test('an advisory that is raised from medium to critical is told once to who hears of critical ones; accepted and expired, once more; and not because a rule was off', async () => {
  const { client } = running;
  const project_id = await newProject('Crossing');
  await upload(project_id, { service_name: 'shop', packages: ['crossing@1.0.0'] });
  const rule = (severity_threshold: string, recipient: string) =>
    calls.create({
      project_id,
      severity_threshold,
      notification_type: 'email',
      config: { recipients: [recipient] },
    });
  const critical = await rule('critical', 'critical@example.org');
  await rule('low', 'low@example.org');
  const countFor = (recipient: string, id = crossing.id) =>
    notificationCounts(mailsTo(recipient)).get(id) ?? 0;
  const becomes = (times: { low: number; critical: number }, id = crossing.id) =>
    eventually(
      () => {
        const low = countFor('low@example.org', id);
        expect({ low, critical: countFor('critical@example.org', id) }).toEqual(times);
      },
      { what: `${id} was told ${JSON.stringify(times)}` },
    );
  await becomes({ low: 1, critical: 0 });
  await folder.put({ ...crossing, severity: 'critical' });
  await becomes({ low: 1, critical: 1 });

  const [row] = await client.allActive({ project_id });
  const accepted = { project_id, vulnerability_id: row?.id ?? '', reason: 'For a moment.' };
  const expires_at = new Date(Date.now() + 2_000).toISOString();
  await client.accept({ ...accepted, expires_at });
  expect(await client.allActive({ project_id })).toEqual([]);
  await becomes({ low: 2, critical: 2 });

  await calls.change(critical, { enabled: false });
  await calls.change(critical, { enabled: true });
  await upload(project_id, { service_name: 'jobs', packages: ['later@1.0.0'] });
  await becomes({ low: 1, critical: 1 }, later.id);
  await becomes({ low: 2, critical: 2 });
  await eventually(
    async () => expect((await calls.sent(critical)).map(({ total }) => total)).toEqual([1, 1, 1]),
    { what: 'the last message is recorded' },
  );
});

test('what becomes known to be exploited is told once more to a rule with kev, with the date by which to fix it', async () => {
  const project_id = await newProject('Exploited');
  await sendForJson(running.target, {
    method: 'PATCH',
    path: `/api/v1/projects/${project_id}`,
    body: { ships_products: true },
  });
  await upload(project_id, { service_name: 'shop', packages: ['exploited@1.0.0'] });
  const rule = (recipient: string, more: object = {}) => ({
    project_id,
    severity_threshold: 'low',
    notification_type: 'email',
    config: { recipients: [recipient], ...more },
  });
  const all = await calls.create(rule('plain@example.org'));
  const both = await calls.create(rule('both@example.org', { kev: true }));
  const only = await calls.create(rule('kev@example.org', { by_severity: false, kev: true }));
  const totals = () =>
    Promise.all([all, both, only].map(async (id) => (await calls.sent(id)).length));
  const becomes = (expected: number[]) =>
    eventually(async () => expect(await totals()).toEqual(expected), {
      what: `the rules have sent ${expected.join()} messages`,
      within: 60_000,
    });
  await becomes([1, 1, 0]);
  await writeCatalog('CVE-2020-0001', exploited.id);
  await becomes([1, 2, 1]);
  const [message] = mailsTo('kev@example.org');
  expect(JSON.stringify(message)).toContain('known to be exploited since 2026-03-02');
  expect(JSON.stringify(message)).toContain('early warning');
  await showsEvidence(running, project_id);
  expect(await calls.read(only)).toMatchObject({ by_severity: false, kev: true, min_epss: null });
}, 120_000);

test('HTML, Markdown and mentions in names of packages and titles of advisories do nothing in any channel', async () => {
  const hostile = [
    ['<img src=x onerror=alert(1)>', '<script>alert(1)</script>'],
    ['<!channel>', '<!here> <@U012AB3CD> <https://evil.example|safe>'],
    ['[click](https://evil.example)', '@everyone [safe](https://evil.example) **bold** `code`'],
    ['*bold*_it_~no~`code`', '# heading\n> quote\r\nBcc: victim@example.org'],
  ] as const;
  const project_id = await newProject('<b>Hostile</b> <!channel> @everyone');
  for (const [n, [name, summary]] of hostile.entries()) {
    const advisory = oneOf(`CVE-2026-${40_001 + n}`, `${name}@1.0.0`, 'critical');
    await folder.put({ ...advisory, summary });
  }
  const names = hostile.map(([name]) => `${name}@1.0.0`);
  await upload(project_id, { service_name: '<i>svc</i> <@U012AB3CD>', packages: names });
  await eventually(
    async () => expect((await running.client.allActive({ project_id })).length).toBe(names.length),
    { what: 'the hostile ones are listed' },
  );
  const before = { slack: slack.accepted.length, discord: discord.accepted.length };
  for (const notification_type of ['email', 'slack', 'discord']) {
    const config = notification_type === 'email' ? { recipients: ['hostile@example.org'] } : {};
    await calls.create({ project_id, severity_threshold: 'low', notification_type, config });
  }
  const received = await eventually(
    () => {
      const mails = mailsTo('hostile@example.org');
      const messages = [slack.accepted.slice(before.slack), discord.accepted.slice(before.discord)];
      expect([mails.length, ...messages.map(({ length }) => length)]).toEqual([1, 1, 1]);
      return { mail: mails[0], slack: messages[0]?.[0]?.body, discord: messages[1]?.[0]?.body };
    },
    { what: 'each channel has its message' },
  );

  const html = received.mail?.html ?? '';
  expect(html).toContain('&lt;img');
  for (const tag of ['<img', '<script', '<b>Hostile', '<i>svc', '<!channel', '<@U'])
    expect(html).not.toContain(tag);
  expect([...(received.mail?.headers.keys() ?? [])]).not.toContain('bcc');
  expect(received.mail?.recipients).toEqual(['hostile@example.org']);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
  expect(links.filter((href) => !href.startsWith(`${publicUrl}/findings?project_id=`))).toEqual([]);

  const formatted = textsOf(received.slack, ({ type }) => type === 'mrkdwn');
  for (const text of formatted) expect(text).not.toMatch(/bold|it_|code|svc|evil|channel/);
  const slackText = textsOf(received.slack).join('\n');
  expect(slackText).toContain('&lt;!channel&gt;');
  const slackLinks = slackText.match(/<[^>]*>/g) ?? [];
  expect(slackLinks.filter((link) => !link.startsWith(`<${publicUrl}`))).toEqual([]);

  const discordText = textsOf(received.discord).join('\n');
  expect(discordText).not.toMatch(/(?<!\\)\]\(https:\/\/evil/);
  expect(discordText).not.toMatch(/(?<!\\)`code/);
  expect(discordText).not.toMatch(/(?<![\\*])\*\*bold/);
  expect(received.discord).toMatchObject({ allowed_mentions: { parse: [] } });
});

test.each([
  'http://169.254.169.254/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/hook',
  'https://127.0.0.1:8080/hook',
  'https://0x7f000001/hook',
  'https://[::1]/hook',
  'https://[::ffff:169.254.169.254]/hook',
])('a rule takes no webhook at %s, neither new nor changed', async (webhook_url) => {
  const project_id = await newProject(`Webhook ${webhook_url}`.slice(0, 60));
  for (const notification_type of ['slack', 'discord', 'teams', 'webhook']) {
    const rule = { project_id, severity_threshold: 'high', notification_type, enabled: false };
    await expect(calls.create({ ...rule, config: { webhook_url } })).rejects.toMatchObject({
      status: 422,
    });
    const id = await calls.create({ ...rule, config: {} });
    await expect(calls.change(id, { config: { webhook_url } })).rejects.toMatchObject({
      status: 422,
    });
  }
});
