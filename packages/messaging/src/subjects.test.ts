import { withoutCovered } from './subjects';

test.each([
  [
    ['a.>', 'b.>'],
    ['a.>', 'b.>'],
  ],
  [['a.>', 'a.b.>', 'a.b.c', 'a.*.c'], ['a.>']],
  [['a.*', 'a.>'], ['a.>']],
  [
    ['a.*.c', 'a.b.c', 'a.b.d'],
    ['a.*.c', 'a.b.d'],
  ],
  [
    ['a.*', 'a', 'a.b.c'],
    ['a.*', 'a', 'a.b.c'],
  ],
  [
    ['a.>', 'a'],
    ['a.>', 'a'],
  ],
  [['a.b', 'a.b'], ['a.b']],
])('of %j there stay %j', (given, kept) => {
  expect(withoutCovered(given)).toEqual(kept);
});
