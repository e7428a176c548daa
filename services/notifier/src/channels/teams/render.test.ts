import { teamsFault } from '@bomtrail/testkit';
import fc from 'fast-check';
import { anyDigest, harmless } from '../../testing/digests';
import { exampleDigest } from '../../testing/example-digest';
import { teamsMessage } from './render';

const cardOf = (message: ReturnType<typeof teamsMessage>) => message.attachments[0].content;
const runsOf = (message: ReturnType<typeof teamsMessage>) =>
  cardOf(message).body.flatMap(({ inlines }) => inlines);

test('whatever the texts are, Teams takes the message', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      expect(teamsFault(JSON.parse(JSON.stringify(teamsMessage(digest))))).toBeUndefined();
    }),
  );
});

test('whatever the texts are, they are text runs without links, functions and mentions', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      const [card, tame] = [digest, harmless(digest)].map((one) => cardOf(teamsMessage(one)));
      expect(card?.actions).toEqual(tame?.actions);
      for (const { type, text } of runsOf(teamsMessage(digest))) {
        expect(type).toBe('TextRun');
        expect(text).not.toMatch(/:\/\/|\{\{|<at>/i);
      }
    }),
  );
});

test('what is not named is counted, with a link to all', () => {
  const message = teamsMessage(exampleDigest());
  expect(runsOf(message).map(({ text }) => text)).toContain('and 4 more');
  expect(cardOf(message).actions).toEqual([
    { type: 'Action.OpenUrl', title: 'See all of them', url: exampleDigest().link },
  ]);
});

test('vulnerabilities that do not fit into 28 KB of UTF-16 are counted', () => {
  const [first] = exampleDigest().top;
  const long = 'x'.repeat(400);
  const item = { ...first!, title: long, package_name: long, fixed_versions: [long, long, long] };
  const digest = { ...exampleDigest(), top: Array.from({ length: 40 }, () => item), total: 40 };
  const message = teamsMessage(digest);
  expect(teamsFault(message)).toBeUndefined();
  const texts = runsOf(message).map(({ text }) => text);
  const named = texts.filter((text) => text === 'CVE-2021-44228').length;
  expect(named).toBeGreaterThan(5);
  expect(named).toBeLessThan(40);
  expect(texts).toContain(`and ${40 - named} more`);
});
