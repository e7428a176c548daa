import { readSince } from './read-since';

const now = Date.parse('2026-06-10T12:00:00Z');

test.each([
  ['7d', '2026-06-03T12:00:00.000Z'],
  ['90m', '2026-06-10T10:30:00.000Z'],
  ['2026-06-01', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01T02:00:00+02:00', '2026-06-01T00:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(readSince(text, undefined, now)).toBe(expected);
});

test.each(['', 'yesterday', '7', '2026-13-01', '7w'])('%j is refused', (text) => {
  expect(() => readSince(text, undefined, now)).toThrow(/detected-since/);
});
