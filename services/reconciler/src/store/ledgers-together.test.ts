import { withinManyRows } from './ledgers-together';

function changes(...sizes: number[]) {
  return sizes.map((size) => ({ change: { rows: Array.from({ length: size }) } }));
}

test.each([
  [[], []],
  [[1], [[1]]],
  [
    [1000, 1000, 1],
    [[1000, 1000], [1]],
  ],
  [
    [1, 5000, 1, 1999],
    [[1], [5000], [1, 1999]],
  ],
])('lines with %j changed rows are saved in groups of %j', (sizes, groups) => {
  const made = withinManyRows(changes(...sizes));
  expect(made.map((group) => group.map(({ change }) => change.rows.length))).toEqual(groups);
});
