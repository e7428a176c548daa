import { readSettings } from '@bomtrail/settings';
import { channelSettings, settings } from './config';

const needed = { MONGODB_URI: 'mongodb://x', NATS_URL: 'nats://x' };

function channelsOf(given: Record<string, string>) {
  return channelSettings(readSettings(settings, { ...needed, ...given }));
}

test('without settings no channel is configured, and nothing internal is allowed', () => {
  expect(channelsOf({})).toEqual({
    email: { server: undefined, from: undefined, recipients: [], domains: [] },
    proxies: { https: null, http: null, direct: [] },
    slackUrl: undefined,
    discordUrl: undefined,
    teamsUrl: undefined,
    signedWebhook: { url: undefined, secrets: [] },
    pagerduty: { eventsUrl: 'https://events.pagerduty.com/v2/enqueue', routingKey: undefined },
    anyAddress: false,
  });
});

test.each([
  ['starttls', 587],
  ['tls', 465],
  ['none', 25],
])('with SMTP_TLS=%s the port is %i, unless it is set', (tls, port) => {
  const mail = { SMTP_HOST: 'mail.example', SMTP_FROM: 'a@b.example', SMTP_TLS: tls };
  expect(channelsOf(mail).email.server).toMatchObject({ host: 'mail.example', port, tls });
  expect(channelsOf({ ...mail, SMTP_PORT: '2525' }).email.server).toMatchObject({ port: 2525 });
});

test('mail never goes without TLS unless that is set', () => {
  const mail = { SMTP_HOST: 'mail.example', SMTP_FROM: 'bomtrail <a@b.example>' };
  expect(channelsOf(mail).email).toMatchObject({
    server: { tls: 'starttls', login: undefined },
    from: { name: 'bomtrail', address: 'a@b.example' },
  });
});

test('login, recipients and webhooks come from the settings', () => {
  const given = {
    SMTP_HOST: 'mail.example',
    SMTP_FROM: 'a@b.example',
    SMTP_TLS_CA: 'the authority',
    SMTP_USERNAME: 'user',
    SMTP_PASSWORD: 'secret',
    ALERT_EMAIL_TO: 'one@b.example, two@b.example',
    ALERT_EMAIL_DOMAINS: 'C.example, b.example',
    SLACK_WEBHOOK_URL: 'http://chat.internal/hooks/x',
    DISCORD_WEBHOOK_URL: 'https://discord.com/api/webhooks/1/t',
    TEAMS_WEBHOOK_URL: 'https://x.logic.azure.com/workflows/1?sig=t',
    ALERT_WEBHOOK_URL: 'http://tracker.internal/hook',
    ALERT_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)} whsec_${'B'.repeat(32)}\n`,
    PAGERDUTY_ROUTING_KEY: 'R0'.repeat(16),
    PAGERDUTY_EVENTS_URL: 'https://events.eu.pagerduty.com/v2/enqueue',
    ALERT_ALLOW_PRIVATE_WEBHOOKS: 'true',
  };
  expect(channelsOf(given)).toMatchObject({
    mailAuthority: 'the authority',
    email: {
      server: { login: { username: 'user', password: 'secret' } },
      recipients: ['one@b.example', 'two@b.example'],
      domains: ['c.example', 'b.example'],
    },
    slackUrl: given.SLACK_WEBHOOK_URL,
    discordUrl: given.DISCORD_WEBHOOK_URL,
    teamsUrl: given.TEAMS_WEBHOOK_URL,
    signedWebhook: {
      url: given.ALERT_WEBHOOK_URL,
      secrets: [`whsec_${'A'.repeat(32)}`, `whsec_${'B'.repeat(32)}`],
    },
    pagerduty: {
      eventsUrl: given.PAGERDUTY_EVENTS_URL,
      routingKey: given.PAGERDUTY_ROUTING_KEY,
    },
    anyAddress: true,
  });
});

test.each([
  ['SMTP_PORT', 'smtp', 'must be a port number'],
  ['SMTP_PORT', '0', 'must be a port number, at least 1'],
  ['SMTP_TLS', 'ssl', 'must be starttls, tls or none'],
  ['SMTP_FROM', 'bomtrail', 'must be an address, or Name <address>'],
  ['SMTP_FROM', 'x\r\nBcc: y <a@b.example>', 'must be an address, or Name <address>'],
  ['ALERT_EMAIL_TO', 'a@b.example;c@d.example', 'must be mail addresses, comma-separated'],
  ['ALERT_EMAIL_TO', ',', 'must be mail addresses, comma-separated'],
  ['ALERT_EMAIL_DOMAINS', '@b.example', 'must be domains such as example.org, comma-separated'],
  ['ALERT_MAX_RULES_PER_PROJECT', 'many', 'must be a whole number'],
  ['SLACK_WEBHOOK_URL', 'ftp://secret.example', 'must be a URL with https:// or http://'],
  ['DISCORD_WEBHOOK_URL', 'secret', 'must be a URL with https:// or http://'],
  ['TEAMS_WEBHOOK_URL', 'secret', 'must be a URL with https:// or http://'],
  [
    'ALERT_WEBHOOK_SECRET',
    'secret',
    'must be whsec_ and 24 to 64 random bytes in Base64; two, separated by a space, during a change',
  ],
  [
    'PAGERDUTY_ROUTING_KEY',
    'secret',
    'must be the 32 letters and digits of an Events API v2 integration key',
  ],
  ['PAGERDUTY_EVENTS_URL', 'secret', 'must be a URL with https:// or http://'],
  ['ALERT_ALLOW_PRIVATE_WEBHOOKS', 'yes', 'must be true or false'],
  ['WEB_PAGE', 'off', 'must be true or false'],
  ['PUBLIC_URL', 'bomtrail', 'must be a URL with https:// or http://'],
  ['PUBLIC_URL', 'localhost:8080', 'must be a URL with https:// or http://'],
])('%s=%j stops the start with a clear line, without a secret in it', (name, value, message) => {
  expect(() => readSettings(settings, { ...needed, [name]: value })).toThrow(
    `${name}: ${message}.`,
  );
});

test('more recipients than a mail server takes at once stop the start', () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, at) => `a${at}@b.example`).join();
  expect(channelsOf({ ALERT_EMAIL_TO: list(100) }).email.recipients).toHaveLength(100);
  expect(() => channelsOf({ ALERT_EMAIL_TO: list(101) })).toThrow('must be 100 addresses or fewer');
});

test('a mail server needs a sender, of a user name and a password each the other, and a webhook its key', () => {
  const host = () => channelsOf({ SMTP_HOST: 'mail.example' });
  expect(host).toThrow('SMTP_HOST: is set without SMTP_FROM.');
  const name = () => channelsOf({ SMTP_USERNAME: 'user' });
  expect(name).toThrow('SMTP_USERNAME: is set without SMTP_PASSWORD.');
  const password = () => channelsOf({ SMTP_PASSWORD: 's3cret' });
  expect(password).toThrow('SMTP_PASSWORD: is set without SMTP_USERNAME.');
  expect(password).not.toThrow('s3cret');
  const webhook = () => channelsOf({ ALERT_WEBHOOK_URL: 'https://tracker.example/hook' });
  expect(webhook).toThrow('ALERT_WEBHOOK_URL: is set without ALERT_WEBHOOK_SECRET.');
});
