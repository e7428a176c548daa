import { exampleDigest } from '../testing/example-digest';
import { deliveryId } from './delivery-id';

const digest = exampleDigest();
const id = deliveryId(digest);

test('AL7 a retry has the same id, even if time, order or severities changed', () => {
  const at = '2026-03-01T10:00:00.000Z';
  const [first, ...others] = digest.top;
  const later = { ...digest, at, top: [...others, first!], counts: { critical: 14 } };
  expect(deliveryId(later)).toBe(id);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
});

test('AL7 other alert periods, another rule and a test have other ids', () => {
  const rule = { ...digest.rule, id: 'other' };
  const ids = [
    { ...digest, key: 'other' },
    { ...digest, rule },
    { ...digest, kind: 'test' as const },
  ];
  expect(new Set([id, ...ids.map(deliveryId)]).size).toBe(4);
});

test('tests, which have no key, differ by their time', () => {
  const { key: _none, ...sample } = { ...digest, kind: 'test' as const };
  expect(deliveryId(sample)).toBe(deliveryId(sample));
  expect(deliveryId(sample)).not.toBe(deliveryId({ ...sample, at: '2026-03-01T10:00:00.000Z' }));
});
