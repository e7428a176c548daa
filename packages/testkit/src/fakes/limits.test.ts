import { discordFault } from './discord-fake';
import { badDay, fates, noFaults } from './faults';
import { slackFault } from './slack-fake';

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
