import { slackFault } from '@bomtrail/testkit';
import fc from 'fast-check';
import { anyDigest, harmless } from '../../testing/digests';
import { exampleDigest } from '../../testing/example-digest';
import { slackMessage } from './render';

/** Every text object and the fallback, in order. */
function textsOf(message: ReturnType<typeof slackMessage>) {
  const inBlocks = message.blocks.flatMap((block) => {
    if (block.type === 'context') return block.elements;
    if (block.type === 'header') return [block.text];
    return [block.text, ...(block.fields ?? [])];
  });
  return [...inBlocks, { type: 'fallback' as const, text: message.text }];
}

test('whatever the texts are, Slack takes the message', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      expect(slackFault(JSON.parse(JSON.stringify(slackMessage(digest))))).toBeUndefined();
    }),
  );
});

test('whatever the texts are, nothing of them is formatting, a mention or a link', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      const [texts, tame] = [digest, harmless(digest)].map((one) => textsOf(slackMessage(one)));
      expect(texts?.map(({ type }) => type)).toEqual(tame?.map(({ type }) => type));
      texts?.forEach((object, at) => {
        // What Slack reads as markup is word for word what it is for harmless texts.
        if (object.type === 'mrkdwn') expect(object).toEqual(tame?.[at]);
        else expect(object.text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt);)|:\/\//);
      });
    }),
  );
});

test('formatting of the fallback and unfurling are disabled', () => {
  expect(slackMessage(exampleDigest())).toMatchObject({
    text: '14 new vulnerabilities in Payments: 3 critical, 9 high, 2 unknown',
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  });
});

test('what is not named is counted, with a link to all', () => {
  const { blocks } = slackMessage({ ...exampleDigest(), link: 'https://b.example/?a=1&b=2' });
  expect(blocks.at(-2)).toMatchObject({
    text: { text: 'and 4 more\n<https://b.example/?a=1&amp;b=2|See all of them>' },
  });
});

test('more vulnerabilities than fit into 50 blocks are counted', () => {
  const digest = exampleDigest();
  const top = Array.from({ length: 60 }, () => digest.top[0]!);
  const message = slackMessage({ ...digest, top, total: 60 });
  expect(slackFault(message)).toBeUndefined();
  expect(message.blocks).toHaveLength(50);
  expect(message.blocks.at(-2)).toMatchObject({
    text: { text: expect.stringMatching(/^and 14 more/) },
  });
});
