import fc from 'fast-check';
import { anyDigest, harmless } from '../../testing/digests';
import { exampleDigest } from '../../testing/example-digest';
import { mailContent } from './render';

/** Tags, comments and entities that are no characters: what a browser would do something with. */
function skeleton(html: string): string[] {
  return html.match(/<[^>]*>?/g) ?? [];
}

test('whatever the texts are, the HTML has the same tags with the same attributes', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      const { html } = mailContent(digest);
      expect(skeleton(html)).toEqual(skeleton(mailContent(harmless(digest)).html));
      expect(html.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    }),
  );
});

test('whatever the texts are, the subject is one bounded line', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      const { subject } = mailContent(digest);
      expect(subject).toMatch(/^\[bomtrail\] [^\p{Cc}\p{Zl}\p{Zp}]+$/u);
      expect(subject.length).toBeLessThanOrEqual(200);
      expect(subject).not.toContain('=?');
    }),
  );
});

test('the only link is the one to all of them', () => {
  const { html, text } = mailContent(exampleDigest());
  expect(html.match(/href="[^"]*"/g)).toEqual([
    'href="https://bomtrail.example/findings?project_id=b7f6a2f4-0c1d-4f0e-8f5a-6d2c9e1b3a77"',
  ]);
  expect(text.match(/https?:\/\/\S+/g)).toHaveLength(1);
  expect(html).not.toMatch(/<(?:img|script|link|style|iframe|form)\b|url\(/i);
});

test('text and HTML have the same content', () => {
  const { html, text } = mailContent(exampleDigest());
  for (const said of [
    'CVE-2021-44228',
    'CRITICAL 10.0',
    'and 4 more',
    'checkout-web',
    'lodash 4.17.11',
  ]) {
    expect(html).toContain(said);
    expect(text).toContain(said);
  }
});
