import { compareRevisions } from './revisions';

test.each([
  ['1', '2'],
  ['9', '10'],
  ['1.0.0', '1.0.1'],
  ['1.9.0', '1.10.0'],
  ['1.0.0-rc', '1.0.0'],
  ['1.0.0+a', '2.0.0'],
  ['x', '1'],
])('version %s is older than %s', (older, newer) => {
  const at = (version: string) => ({ version, last_updated: null });
  expect(compareRevisions(at(older), at(newer))).toBeLessThan(0);
  expect(compareRevisions(at(newer), at(older))).toBeGreaterThan(0);
  expect(compareRevisions(at(newer), at(newer))).toBe(0);
});

test('of equal versions the one changed later is newer', () => {
  const at = (last_updated: string | null) => ({ version: '1', last_updated });
  expect(compareRevisions(at('2026-01-01T00:00:00.000Z'), at('2026-01-02T00:00:00.000Z'))).toBe(-1);
  expect(compareRevisions(at(null), at('2026-01-02T00:00:00.000Z'))).toBe(-1);
});
