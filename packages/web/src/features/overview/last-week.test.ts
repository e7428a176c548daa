import { lastWeek } from './last-week';

test('a week ago is a day, the same one all day long', () => {
  expect(lastWeek(Date.parse('2026-03-04T00:00:00Z'))).toBe('2026-02-25');
  expect(lastWeek(Date.parse('2026-03-04T23:59:59Z'))).toBe('2026-02-25');
});
