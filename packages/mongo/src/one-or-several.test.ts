import { oneOrSeveral } from './one-or-several';

test('one value is itself, several are alternatives, none select nothing', () => {
  expect(oneOrSeveral('a')).toBe('a');
  expect(oneOrSeveral(['a', 'b'])).toEqual({ $in: ['a', 'b'] });
  expect(oneOrSeveral([])).toEqual({ $in: [] });
});
