import { exampleDigest } from '../../testing/example-digest';
import { mailIdentity } from './identity';

const digest = exampleDigest();
const from = 'alerts@bomtrail.example';

test('a mail, its thread and its list have names in the domain of the sender', () => {
  const identity = mailIdentity(digest, from);
  expect(identity.messageId).toMatch(/^<alert-[0-9a-f]{40}@bomtrail\.example>$/);
  expect(identity.threadId).toBe(`<alert-rule-${digest.rule.id}@bomtrail.example>`);
  expect(identity.listId).toBe(`<${digest.rule.id}.alerts.bomtrail.example>`);
  expect(mailIdentity(digest, 'x@bücher.example').threadId).toContain('@xn--bcher-kva.example>');
});

test('every attempt with the same content has the same id, at any time', () => {
  const { messageId } = mailIdentity({ ...digest, at: '2026-03-02T00:00:00.000Z' }, from);
  expect(messageId).toBe(mailIdentity(digest, from).messageId);
});

test.each([
  ['other episodes of the same vulnerabilities', { key: 'other' }],
  ['more of them', { total: 15 }],
  ['a test', { kind: 'test' as const }],
  ['another rule', { rule: { ...digest.rule, id: '7c4b6f1e-6a0b-4c63-9a51-2f2d6f0a7b10' } }],
])('%s has another name', (_what, change) => {
  const { messageId } = mailIdentity({ ...digest, ...change }, from);
  expect(messageId).not.toBe(mailIdentity(digest, from).messageId);
});

test('without a content key the time of the check distinguishes mails', () => {
  const [one, other] = ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'].map((at) => {
    const { key: _, ...unnamed } = digest;
    return mailIdentity({ ...unnamed, at }, from).messageId;
  });
  expect(one).not.toBe(other);
});
