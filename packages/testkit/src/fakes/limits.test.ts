import { createHmac } from 'node:crypto';
import { discordFault } from './discord-fake';
import { badDay, fates, noFaults } from './faults';
import { pagerDutyFault } from './pagerduty-fake';
import { signedWebhookFault } from './signed-webhook-fake';
import { slackFault } from './slack-fake';
import { teamsFault } from './teams-fake';

const text = (length: number) => 'x'.repeat(length);
const plain = (length: number) => ({ type: 'plain_text', text: text(length) });
const section = (length: number) => ({ type: 'section', text: plain(length) });
const slack = (...blocks: unknown[]) => ({ text: 'fallback', blocks });

test.each([
  ['50 blocks', slack(...Array(50).fill(section(1))), slack(...Array(51).fill(section(1)))],
  ['a section of 3,000', slack(section(3000)), slack(section(3001))],
  [
    'a field of 2,000',
    slack({ type: 'section', fields: [plain(2000)] }),
    slack({ type: 'section', fields: [plain(2001)] }),
  ],
  [
    '10 fields',
    slack({ type: 'section', fields: Array(10).fill(plain(1)) }),
    slack({ type: 'section', fields: Array(11).fill(plain(1)) }),
  ],
  [
    'a header of 150',
    slack({ type: 'header', text: plain(150) }),
    slack({ type: 'header', text: plain(151) }),
  ],
  [
    'a plain header',
    slack({ type: 'header', text: plain(1) }),
    slack({ type: 'header', text: { type: 'mrkdwn', text: 'x' } }),
  ],
  ['a text', slack(section(1)), slack(section(0))],
  ['a fallback', slack(section(1)), { blocks: [section(1)] }],
  ['known blocks', slack({ type: 'divider' }), slack({ type: 'marquee' })],
  ['known fields', slack(section(1)), { ...slack(section(1)), channel: '#general' }],
])('Slack takes %s and no more', (_what, fine, wrong) => {
  expect(slackFault(fine)).toBeUndefined();
  expect(slackFault(wrong)).toEqual(expect.any(String));
});

const embed = (given: object) => ({ embeds: [given], allowed_mentions: { parse: [] } });
const field = (name: number, value: number) => ({ name: text(name), value: text(value) });
const fields = (count: number, name: number, value: number) =>
  embed({ fields: Array(count).fill(field(name, value)) });

test.each([
  ['a title of 256', embed({ title: text(256) }), embed({ title: text(257) })],
  [
    'a description of 4,096',
    embed({ description: text(4096) }),
    embed({ description: text(4097) }),
  ],
  ['25 fields', fields(25, 1, 1), fields(26, 1, 1)],
  ['a name of 256', fields(1, 256, 1), fields(1, 257, 1)],
  ['a value of 1,024', fields(1, 1, 1024), fields(1, 1, 1025)],
  ['6,000 in all', fields(24, 1, 249), fields(24, 2, 249)],
  ['a value that is not empty', fields(1, 1, 1), fields(1, 1, 0)],
  ['no mentions', embed({ title: 'x' }), { embeds: [{ title: 'x' }] }],
  [
    'no mentions at all',
    embed({ title: 'x' }),
    { embeds: [{ title: 'x' }], allowed_mentions: { parse: ['everyone'] } },
  ],
  ['an embed', embed({ title: 'x' }), { embeds: [], allowed_mentions: { parse: [] } }],
])('Discord takes %s and no more', (_what, fine, wrong) => {
  expect(discordFault(fine)).toBeUndefined();
  expect(discordFault(wrong)).toEqual(expect.any(String));
});

const run = (length: number, more = '') => ({ type: 'TextRun', text: text(length) + more });
const card = (...inlines: unknown[]) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        type: 'AdaptiveCard',
        version: '1.4',
        body: [{ type: 'RichTextBlock', inlines }],
      },
    },
  ],
});
/** Units around the text of a card. */
const around = JSON.stringify(card(run(0))).length;

test.each([
  ['28 KB of UTF-16', card(run(14 * 1024 - around)), card(run(14 * 1024 - around + 1))],
  ['text runs', card(run(1)), card({ type: 'TextBlock', text: '**x**' })],
  ['no functions', card(run(1, '{ {DATE()}}')), card(run(1, '{{DATE(2026-03-01T00:00:00Z)}}'))],
  ['no mentions', card(run(1)), card(run(1, '<at>x</at>'))],
  ['a card', card(run(1)), { type: 'message', attachments: [], text: 'x' }],
])('Teams takes %s and no more', (_what, fine, wrong) => {
  expect(teamsFault(fine)).toBeUndefined();
  expect(teamsFault(wrong)).toEqual(expect.any(String));
});

const pagerDuty = (given: object, payload: object = {}) => ({
  routing_key: 'R0'.repeat(16),
  event_action: 'trigger',
  dedup_key: 'x',
  payload: {
    summary: 'x',
    source: 'x',
    severity: 'info',
    timestamp: '2026-03-01T09:30:00.000Z',
    ...payload,
  },
  ...given,
});
const detailed = (length: number) => pagerDuty({}, { custom_details: text(length) });
const aroundDetails = JSON.stringify(detailed(0)).length;

test.each([
  ['512 KB', detailed(512 * 1024 - aroundDetails), detailed(512 * 1024 - aroundDetails + 1)],
  ['a key of 32', pagerDuty({}), pagerDuty({ routing_key: text(31) })],
  ['a dedup_key of 255', pagerDuty({ dedup_key: text(255) }), pagerDuty({ dedup_key: text(256) })],
  [
    'a summary of 1,024',
    pagerDuty({}, { summary: text(1024) }),
    pagerDuty({}, { summary: text(1025) }),
  ],
  ['its severities', pagerDuty({}, { severity: 'error' }), pagerDuty({}, { severity: 'high' })],
  [
    'https links',
    pagerDuty({ links: [{ href: 'https://x.example' }] }),
    pagerDuty({ links: [{ href: 'http://x.example' }] }),
  ],
])('PagerDuty takes %s and no more', (_what, fine, wrong) => {
  expect(pagerDutyFault(fine)).toBeUndefined();
  expect(pagerDutyFault(wrong)).toEqual(expect.any(String));
});

describe('a receiver of signed webhooks', () => {
  const secret = `whsec_${'A'.repeat(32)}`;
  const body = JSON.stringify({ id: 'one' });
  const now = Math.floor(Date.now() / 1000);
  const signed = (id: string, seconds: number, key = secret) => {
    const hmac = createHmac('sha256', Buffer.from(key.slice(6), 'base64'));
    const signature = hmac.update(`${id}.${seconds}.${body}`).digest('base64');
    return {
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${signature}`,
    };
  };
  const faultOf = (headers: object, sent = body) =>
    signedWebhookFault(JSON.parse(sent), { text: sent, headers: { ...headers } }, secret);

  test('takes what is signed with its key, now', () => {
    expect(faultOf(signed('one', now))).toBeUndefined();
  });

  test.each([
    ['nothing is signed', {}],
    ['another key', signed('one', now, `whsec_${'B'.repeat(32)}`)],
    ['an old request', signed('one', now - 301)],
    [
      'a time that is not the signed one',
      { ...signed('one', now), 'webhook-timestamp': `${now + 1}` },
    ],
    ['an id that is not the signed one', { ...signed('one', now), 'webhook-id': 'two' }],
    ['an id that is not that of the body', signed('two', now)],
  ])('refuses %s', (_what, headers) => {
    expect(faultOf(headers)).toEqual(expect.any(String));
  });

  test('refuses another body', () => {
    expect(faultOf(signed('one', now), '{"id":"one" }')).toMatch(/signature/);
  });
});

test('a fake fails as often as it is told to, the same in every run with the same seed', () => {
  const drawn = (seed: number) => {
    const fateOf = fates(seed);
    return Array.from({ length: 6000 }, () => fateOf(badDay));
  };
  const one = drawn(7);
  expect(drawn(7)).toEqual(one);
  expect(drawn(8)).not.toEqual(one);
  const shareOf = (fate: string) => one.filter((drawnFate) => drawnFate === fate).length / 6000;
  expect(shareOf('limited')).toBeCloseTo(1 / 3, 1);
  expect(shareOf('failing')).toBeCloseTo(0.1, 1);
  expect(shareOf('hanging')).toBeGreaterThan(0);
  expect(fates(7)(noFaults)).toBe('served');
});
