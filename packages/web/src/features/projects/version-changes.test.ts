import { versionChanges } from './version-changes';

const point = (sbom_id: string, day: number) => ({
  sbom_id,
  version: `1.${day}`,
  at: `2026-03-0${day}T00:00:00.000Z`,
});
const one = point('a', 1);
const two = point('b', 2);
const three = point('c', 3);

test('each SBOM has what it opened and fixed, in the order of time', () => {
  expect(
    versionChanges([
      { introduced_in: two, fixed_in: three },
      { introduced_in: one, fixed_in: three },
      { introduced_in: one, fixed_in: null },
    ]),
  ).toEqual([
    { sbomId: 'a', version: '1.1', at: one.at, opened: 2, fixed: 0 },
    { sbomId: 'b', version: '1.2', at: two.at, opened: 1, fixed: 0 },
    { sbomId: 'c', version: '1.3', at: three.at, opened: 0, fixed: 2 },
  ]);
});

test('without findings there is nothing to show', () => {
  expect(versionChanges([])).toEqual([]);
});
