import { checkOrder } from './check-order';
import type { Compare } from '../ordering';

const byLength: Compare = (a, b) => (a.length < b.length ? -1 : a.length > b.length ? 1 : 0);

describe('the check of an order', () => {
  test('counts what it looked at', () => {
    expect(checkOrder(['a', 'b', 'bb'], byLength)).toEqual({ readable: 3, equalPairs: 1 });
  });

  test.each<[string, Compare]>([
    ['does not turn round', (a, b) => (a === b ? 0 : -1)],
    [
      'is not transitive',
      (a, b) => (a === b ? 0 : 'abca'.includes(a + b) ? -1 : 1), // a < b < c < a
    ],
    [
      'is equal, but not against a third',
      (a, b) => (a + b === 'ac' ? -1 : a + b === 'ca' ? 1 : 0), // a = b, b = c, a < c
    ],
    ['is not equal to itself', () => 1],
    ['reads each, but not both', (a, b) => (a === b ? 0 : null)],
    ['is read now and then', (a, b) => (a === 'a' && b === 'a' ? null : byLength(a, b))],
  ])('sees an order that %s', (what, compare) => {
    expect(() => checkOrder(['a', 'b', 'c'], compare)).toThrow(what);
  });
});
