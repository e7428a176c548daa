import { discordFault } from '@bomtrail/testkit';
import fc from 'fast-check';
import { anyDigest, hostileTexts } from '../../testing/digests';
import { discordMarkup } from '../../testing/discord-markup';
import { exampleDigest } from '../../testing/example-digest';
import { wordingOf } from '../text/wording';
import { discordMessage } from './render';

const [firstItem] = exampleDigest().top;

test('whatever the texts are, Discord takes the message', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      expect(discordFault(JSON.parse(JSON.stringify(discordMessage(digest))))).toBeUndefined();
    }),
  );
});

test('whatever the texts are, nothing of them is formatting, a mention, a link or an emoji', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      const [embed] = discordMessage(digest).embeds;
      const texts = [embed.title, ...embed.fields.flatMap(({ name, value }) => [name, value])];
      expect(texts.flatMap(discordMarkup)).toEqual([]);
      const { counts, link } = wordingOf(digest);
      const ours = [
        ...(counts === '' ? [] : ['**', '**']),
        ...(link === null ? [] : [`[See all of them](${link})`]),
      ];
      expect(discordMarkup(embed.description ?? '')).toEqual(ours);
    }),
  );
});

test('a reader of what was escaped sees the text as it was', () => {
  const title = 'a*b_c~d`e|f<g>h#i-j+k[l]m(n)o:p@q.\\';
  const [embed] = discordMessage({ ...exampleDigest(), top: [{ ...firstItem!, title }] }).embeds;
  expect(embed.fields[0]?.value.split('\n')[0]?.replace(/\\([^0-9A-Za-z\s])/g, '$1')).toBe(title);
});

test('the reader of these tests finds what does something in Discord', () => {
  const lines = ['**b**', '[a](https://b.example)', 'https://b.example', '<@123>', '@everyone'];
  for (const line of [...lines, ':smile:', '<t:1:R>', '# h', '- item', '1. item', '> quote']) {
    expect(discordMarkup(line)).not.toEqual([]);
    expect(discordMarkup(`x\n${line}`)).not.toEqual([]);
  }
  expect(discordMarkup('plain text, 1.2.3 and a-b')).toEqual([]);
});

test('nobody is mentioned', () => {
  expect(discordMessage(exampleDigest()).allowed_mentions).toEqual({ parse: [] });
});

test('vulnerabilities that do not fit into 6,000 characters are counted', () => {
  const title = '*'.repeat(160);
  const long = { ...firstItem!, title, package_name: title, service_name: title, cve_id: title };
  const digest = { ...exampleDigest(), top: Array.from({ length: 10 }, () => long), total: 12 };
  const message = discordMessage(digest);
  expect(discordFault(message)).toBeUndefined();
  const { fields } = message.embeds[0];
  expect(fields.length).toBeGreaterThan(4);
  expect(fields.length).toBeLessThan(11);
  expect(fields.at(-1)?.name).toBe(`and ${12 - (fields.length - 1)} more`);
});

test('ten vulnerabilities with long names fit', () => {
  const long = { ...firstItem!, title: 'word '.repeat(40), package_name: 'name'.repeat(30) };
  const top = Array.from({ length: 10 }, () => long);
  const [embed] = discordMessage({ ...exampleDigest(), top, total: 10 }).embeds;
  expect(embed.fields).toHaveLength(10);
});

test('every text that means harm is there to be read', () => {
  for (const text of hostileTexts.filter((hostile) => hostile.startsWith('@'))) {
    const [embed] = discordMessage({
      ...exampleDigest(),
      top: [{ ...firstItem!, title: text }],
    }).embeds;
    expect(embed.fields[0]?.value).toContain('everyone');
  }
});

test('reminders that do not fit are counted', () => {
  const one = {
    kind: 'api_key',
    at: '2026-03-05T00:00:00.000Z',
    subject: 'pipeline '.repeat(20),
    about: 'bt_0123456789',
    severity: null,
  } as const;
  const reminders = { total: 60, first: Array.from({ length: 10 }, () => one) };
  const [embed] = discordMessage({ ...exampleDigest(), reminders }).embeds;
  const lines = embed.fields.find(({ name }) => name === 'Reminders')?.value.split('\n') ?? [];
  expect(lines.length).toBeLessThan(11);
  expect(lines.at(-1)).toBe(`and ${60 - (lines.length - 1)} more reminders`);
});
