import { createRemindTimes } from './remind-times';

const now = new Date('2026-01-14T10:00:00Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const rule = { _id: 'a', updated_at: null };

test('AL12: a rule is asked at first, and then once an hour', () => {
  const times = createRemindTimes();
  expect(times.isDue(rule, now)).toBe(true);
  times.asked(rule, now);
  expect(times.isDue(rule, later(59))).toBe(false);
  expect(times.isDue({ ...rule, _id: 'b' }, later(59))).toBe(true);
  expect(times.isDue(rule, later(60))).toBe(true);
});

test('AL12: a rule is asked at once when it was changed, or a message is undelivered', () => {
  const times = createRemindTimes();
  times.asked(rule, now);
  expect(times.isDue({ ...rule, updated_at: later(1) }, later(2))).toBe(true);
  expect(times.isDue({ ...rule, retry_state: {} }, later(2))).toBe(true);
});
