import fc from 'fast-check';
import { anyDigest } from '../../testing/digests';
import { exampleDigest } from '../../testing/example-digest';
import { webhookMessage } from './render';
import { webhookLimits, webhookMessageSchema } from './schema';

test('whatever the texts are, the message follows the published schema, and has no other fields', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      const sent: unknown = JSON.parse(JSON.stringify(webhookMessage(digest)));
      expect(webhookMessageSchema.parse(sent)).toEqual(sent);
    }),
  );
});

test('whatever the texts are, the message is smaller than a receiver must accept', () => {
  const [first] = exampleDigest().top;
  for (const character of ['大', '"', '👍']) {
    const long = character.repeat(5_000);
    const item = {
      ...first!,
      cve_id: long,
      title: long,
      package_name: long,
      package_version: long,
      service_name: long,
      fixed_versions: Array.from({ length: 50 }, () => long),
    };
    const project = { id: exampleDigest().project.id, name: long };
    const digest = { ...exampleDigest(), project, top: Array.from({ length: 10 }, () => item) };
    const message = webhookMessage(digest);
    expect(webhookMessageSchema.safeParse(message).success).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(webhookLimits.bytes);
  }
});

test('a text is one line as it is, without escapes of any service', () => {
  const [first] = exampleDigest().top;
  const digest = { ...exampleDigest(), top: [{ ...first!, title: '<b>a\r\n*b*\u202e' }] };
  expect(webhookMessage(digest).vulnerabilities[0]?.title).toBe('<b>a *b*');
});
