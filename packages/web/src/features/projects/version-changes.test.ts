import { versionChanges } from './version-changes';

const point = (sbom_id: string) => ({ sbom_id, version: null, at: '2026-03-01T00:00:00.000Z' });
const [one, two, three] = [point('a'), point('b'), point('c')];

test('each SBOM has what it opened and fixed', () => {
  const changes = versionChanges([
    { id: '1', introduced_in: two, fixed_in: three },
    { id: '2', introduced_in: one, fixed_in: three },
    { id: '3', introduced_in: one, fixed_in: null },
  ]);
  expect(Object.fromEntries(changes)).toEqual({
    a: { opened: 2, reopened: 0, fixed: 0 },
    b: { opened: 1, reopened: 0, fixed: 0 },
    c: { opened: 0, reopened: 0, fixed: 2 },
  });
});

test('a finding that came back was gone in between, by its events', () => {
  const events = [
    { event: 'opened', sbom_id: 'a' },
    { event: 'accepted' },
    { event: 'fixed', sbom_id: 'b' },
    { event: 'reopened', sbom_id: 'c' },
  ] as const;
  const changes = versionChanges(
    [{ id: '1', introduced_in: one, fixed_in: null }],
    new Map([['1', events]]),
  );
  expect(Object.fromEntries(changes)).toEqual({
    a: { opened: 1, reopened: 0, fixed: 0 },
    b: { opened: 0, reopened: 0, fixed: 1 },
    c: { opened: 0, reopened: 1, fixed: 0 },
  });
});

test('without findings nothing has changed', () => {
  expect(versionChanges([]).size).toBe(0);
});
