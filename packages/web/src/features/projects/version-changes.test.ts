import { versionChanges } from './version-changes';

const point = (sbom_id: string) => ({ sbom_id, version: null, at: '2026-03-01T00:00:00.000Z' });
const [one, two, three] = [point('a'), point('b'), point('c')];

test('each SBOM has what it opened and fixed', () => {
  const changes = versionChanges([
    { introduced_in: two, fixed_in: three },
    { introduced_in: one, fixed_in: three },
    { introduced_in: one, fixed_in: null },
  ]);
  expect(Object.fromEntries(changes)).toEqual({
    a: { opened: 2, fixed: 0 },
    b: { opened: 1, fixed: 0 },
    c: { opened: 0, fixed: 2 },
  });
});

test('without findings nothing has changed', () => {
  expect(versionChanges([]).size).toBe(0);
});
