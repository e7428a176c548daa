import { digestKeyOf, notificationKeys, notificationKey } from './notification-key';

test('an alert period is reported by itself or by a higher threshold within it', () => {
  const period = { vulnerability_id: 'v', period_start: 't1', notified_by: ['t1', 't2'] };
  expect(notificationKeys('r', period)).toEqual(['r:v:t1', 'r:v:t2']);
  expect(notificationKeys('r', { ...period, notified_by: [] })).toEqual([
    notificationKey('r', 'v', 't1'),
  ]);
});

test('the same facts have the same name in whatever order, others another one', () => {
  expect(digestKeyOf(['a', 'b'])).toBe(digestKeyOf(['b', 'a']));
  expect(digestKeyOf(['a', 'b'])).not.toBe(digestKeyOf(['a', 'c']));
  expect(digestKeyOf(['a'])).toMatch(/^[0-9a-f]{32}$/);
});
