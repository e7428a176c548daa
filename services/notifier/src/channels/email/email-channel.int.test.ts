import { startMailSink, type MailSink, type MailSinkOptions } from '@bomtrail/testkit';
import fc from 'fast-check';
import { generate } from 'selfsigned';
import { anyDigest } from '../../testing/digests';
import { exampleDigest } from '../../testing/example-digest';
import type { Outcome, Target } from '../channel';
import { createChannels, type ChannelDeps } from '../create-channels';
import { mailContent } from './render';
import type { EmailSettings } from './settings';

const digest = exampleDigest();
const never = new AbortController().signal;
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function sinkOf(options?: MailSinkOptions): Promise<MailSink> {
  const sink = await startMailSink(options);
  stops.push(() => sink.stop());
  return sink;
}

type Server = NonNullable<EmailSettings['server']>;

interface Setting {
  server?: Partial<Server>;
  recipients?: string[];
  /** `ALERT_EMAIL_DOMAINS`. */
  domains?: string[];
  config?: Record<string, unknown>;
  /** `SMTP_TLS_CA`. */
  mailAuthority?: string;
  deps?: ChannelDeps;
}

function targetOf(sink: { port: number }, set: Setting = {}): Target | { unconfigured: string } {
  const { port } = sink;
  const server: Server = { host: '127.0.0.1', port, tls: 'none', login: undefined, ...set.server };
  const from = { name: 'bomtrail, alerts', address: 'alerts@bomtrail.example' };
  const recipients = set.recipients ?? ['team@example.org'];
  const email = { server, from, recipients, domains: set.domains ?? [] };
  const urls = { slackUrl: undefined, discordUrl: undefined };
  const { mailAuthority } = set;
  const channels = createChannels({ email, mailAuthority, ...urls, anyAddress: false }, set.deps);
  return channels.email.targetOf({ id: 'rule', config: set.config ?? {} });
}

function sent(sink: { port: number }, set?: Setting, message = digest): Promise<Outcome> {
  const target = targetOf(sink, set);
  if ('unconfigured' in target) throw new Error(target.unconfigured);
  return target.send(message, never);
}

function reasonOf(outcome: Outcome): string {
  return outcome.kind === 'failed' ? outcome.reason : outcome.kind;
}

test('a mail arrives with text and HTML at the deployment’s recipients, or at the rule’s own', async () => {
  const sink = await sinkOf();
  expect(await sent(sink)).toEqual({ kind: 'sent' });
  const config = { recipients: ['one@example.org', 'two@example.org', 'one@example.org'] };
  expect(await sent(sink, { config })).toEqual({ kind: 'sent' });
  expect(sink.accepted.map(({ recipients }) => recipients)).toEqual([
    ['team@example.org'],
    ['one@example.org', 'two@example.org'],
  ]);
  const [mail] = sink.accepted;
  const { subject, text, html } = mailContent(digest);
  expect(mail?.text.trim()).toBe(text.trim());
  expect(mail?.html.trim()).toBe(html.trim());
  expect(mail?.headers.get('subject')).toEqual([subject]);
});

test('no recipient sees the others', async () => {
  const sink = await sinkOf();
  const recipients = ['one@example.org', 'two@example.org', 'three@example.com'];
  await sent(sink, { config: { recipients } });
  await sent(sink, { recipients });
  await sent(sink, { config: { recipients: recipients.slice(0, 1) } });
  const [several, usual, single] = sink.accepted;
  for (const mail of [several, usual]) {
    expect(mail?.recipients).toEqual(recipients);
    expect(mail?.headers.get('to')).toEqual(['"undisclosed-recipients":;']);
    for (const address of recipients) expect(mail?.raw).not.toContain(address);
  }
  expect(single?.headers.get('to')).toEqual(['one@example.org']);
});

test('recipients of a disallowed domain get nothing; the default recipients are not restricted', async () => {
  const sink = await sinkOf();
  const domains = ['example.org'];
  const config = { recipients: ['one@example.org', 'two@example.com', 'three@example.net'] };
  expect(await sent(sink, { config, domains })).toEqual({
    kind: 'sent',
    note: 'ALERT_EMAIL_DOMAINS does not allow 2 of 3 recipients.',
  });
  expect(sink.accepted.map(({ recipients }) => recipients)).toEqual([['one@example.org']]);
  expect(await sent(sink, { recipients: ['a@example.com'], domains })).toEqual({ kind: 'sent' });
  const nobody = { config: { recipients: ['two@example.com'] }, domains };
  expect(targetOf(sink, nobody)).toEqual({
    unconfigured: 'ALERT_EMAIL_DOMAINS allows none of the recipients of the rule.',
  });
});

test('headers identify the rule, the automatic sender and the thread', async () => {
  const sink = await sinkOf();
  await sent(sink);
  await sent(sink, {}, { ...digest, key: 'other' });
  const [first, second] = sink.accepted.map(({ headers }) => headers);
  const thread = [`<alert-rule-${digest.rule.id}@bomtrail.example>`];
  for (const headers of [first, second]) {
    expect(headers?.get('list-id')).toEqual([`<${digest.rule.id}.alerts.bomtrail.example>`]);
    expect(headers?.get('auto-submitted')).toEqual(['auto-generated']);
    expect(headers?.get('references')).toEqual(thread);
    expect(headers?.get('in-reply-to')).toEqual(thread);
    expect(headers?.get('from')).toEqual(['"bomtrail, alerts" <alerts@bomtrail.example>']);
  }
  expect(first?.get('message-id')).not.toEqual(second?.get('message-id'));
});

test('a repeated alert has the same Message-ID, so that a mailbox can drop it', async () => {
  const sink = await sinkOf();
  await sent(sink);
  await sent(sink, {}, { ...digest, at: '2026-03-01T10:00:00.000Z' });
  const [first, second] = sink.accepted.map(({ headers }) => headers.get('message-id'));
  expect(first).toEqual(second);
});

test('whatever the texts are, a mail has the same headers, each once, and no line is too long', async () => {
  const sink = await sinkOf();
  await sent(sink);
  const names = [...(sink.accepted[0]?.headers.keys() ?? [])];
  await fc.assert(
    fc.asyncProperty(anyDigest, async (any) => {
      expect(await sent(sink, {}, any)).toEqual({ kind: 'sent' });
      const mail = sink.accepted.at(-1);
      expect([...(mail?.headers.keys() ?? [])]).toEqual(names);
      expect([...(mail?.headers.values() ?? [])].every((values) => values.length === 1)).toBe(true);
      expect(mail?.headers.get('subject')).toEqual([mailContent(any).subject]);
      expect(mail?.html.trim()).toBe(mailContent(any).html.trim());
      expect(Math.max(...(mail?.raw.split('\r\n') ?? []).map(({ length }) => length))).toBeLessThan(
        998,
      );
    }),
    { numRuns: 12 },
  );
});

test('a mail with some rejected recipients is sent to the others, with a note without addresses', async () => {
  const sink = await sinkOf({
    refuses: (address) => (address.startsWith('gone') ? 550 : undefined),
  });
  const config = { recipients: ['gone@example.org', 'one@example.org', 'two@example.org'] };
  expect(await sent(sink, { config })).toEqual({
    kind: 'sent',
    note: 'The mail server rejected 1 of 3 recipients.',
  });
  expect(sink.accepted[0]?.recipients).toEqual(['one@example.org', 'two@example.org']);
});

test('a mail with only rejected recipients has failed', async () => {
  const sink = await sinkOf({ refuses: () => 550 });
  const reason = reasonOf(await sent(sink));
  expect(reason).toBe('The mail server rejected the sender or every recipient (550).');
  expect(sink.accepted).toEqual([]);
});

test.each(['limited', 'failing'] as const)(
  'a mail that the server does not take now has failed (%s)',
  async (fault) => {
    const sink = await sinkOf({ faults: { [fault]: 1 } });
    expect(reasonOf(await sent(sink))).toBe('The mail server rejected the message (451).');
  },
);

test('a mail has failed on timeout, abort or refused connection', async () => {
  const hanging = await sinkOf({ faults: { hanging: 1 } });
  // Long enough to connect on a busy machine.
  const late = await sent(hanging, { deps: { timeoutMs: 2_000 } });
  expect(reasonOf(late)).toMatch(/timed out/);
  const silent = await sinkOf({ silent: true });
  const unheard = await sent(silent, { deps: { timeoutMs: 100 } });
  expect(reasonOf(unheard)).toMatch(/timed out|is unreachable/);
  const target = targetOf(silent) as Target;
  expect(reasonOf(await target.send(digest, AbortSignal.timeout(50)))).toMatch(/was aborted/);
  expect(reasonOf(await target.send(digest, AbortSignal.abort()))).toMatch(/was aborted/);
  const gone = await startMailSink();
  await gone.stop();
  expect(reasonOf(await sent(gone))).toMatch(/is unreachable \(E\w+\)/);
});

test('a mail with a lost reply has failed', async () => {
  const sink = await sinkOf({ faults: { cutAfter: 1 } });
  expect(reasonOf(await sent(sink))).not.toBe('sent');
  expect(sink.accepted).toHaveLength(1);
});

test('the login is used, and a wrong one is reported without the password', async () => {
  const account = { username: 'bomtrail', password: 'right' };
  const sink = await sinkOf({ account });
  expect(await sent(sink, { server: { login: account } })).toEqual({ kind: 'sent' });
  const wrong = await sent(sink, { server: { login: { ...account, password: 'not-right' } } });
  expect(reasonOf(wrong)).toBe('The mail server rejected the login (535).');
  expect(reasonOf(await sent(sink))).not.toBe('sent');
});

test('with a login no mail goes to a server that takes none', async () => {
  const sink = await sinkOf();
  const login = { username: 'bomtrail', password: 's3cret' };
  const reason = reasonOf(await sent(sink, { server: { login } }));
  expect(reason).toMatch(/^The mail server rejected the login \(5\d\d\)\.$/);
  expect(sink.accepted).toEqual([]);
});

describe('with TLS', () => {
  let pair: { key: string; cert: string };

  beforeAll(async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
    pair = { key, cert };
  });

  test.each(['starttls', 'tls'] as const)(
    '%s, a certificate that is trusted is taken',
    async (mode) => {
      const sink = await sinkOf({ tls: { mode, ...pair } });
      const set = { server: { tls: mode }, mailAuthority: pair.cert };
      expect(await sent(sink, set)).toEqual({ kind: 'sent' });
    },
  );

  test.each(['starttls', 'tls'] as const)(
    '%s, one that is not trusted is refused',
    async (mode) => {
      const sink = await sinkOf({ tls: { mode, ...pair } });
      expect(reasonOf(await sent(sink, { server: { tls: mode } }))).toMatch(
        /is unreachable \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      );
      expect(sink.accepted).toEqual([]);
    },
  );

  test('no mail goes without TLS when the server offers none', async () => {
    const sink = await sinkOf();
    expect(reasonOf(await sent(sink, { server: { tls: 'starttls' } }))).toMatch(
      /does not support TLS/,
    );
    expect(sink.accepted).toEqual([]);
  });
});

test.each([
  ['an empty list', [], 'not all mail addresses'],
  ['a text', 'one@example.org', 'not all mail addresses'],
  ['a command', ['one@example.org', 'x\r\nRCPT TO:<y@evil.example>'], 'not all mail addresses'],
  ['a number', ['one@example.org', 7], 'not all mail addresses'],
  ['101', Array.from({ length: 101 }, (_, at) => `a${at}@example.org`), 'more than 100'],
])('%s are no recipients', (_what, recipients, why) => {
  expect(targetOf({ port: 1 }, { config: { recipients } })).toEqual({
    unconfigured: expect.stringContaining(why),
  });
});

test('without a server or recipients the reason names the setting', () => {
  expect(targetOf({ port: 1 }, { recipients: [] })).toMatchObject({
    unconfigured: expect.stringContaining('ALERT_EMAIL_TO'),
  });
  const email = { server: undefined, from: undefined, recipients: ['a@example.org'], domains: [] };
  const channels = createChannels({
    email,
    slackUrl: undefined,
    discordUrl: undefined,
    anyAddress: false,
  });
  expect(channels.email.targetOf({ id: 'rule', config: {} })).toMatchObject({
    unconfigured: expect.stringContaining('SMTP_HOST'),
  });
});
