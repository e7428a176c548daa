import { expect, test } from '@jest/globals';
import { createStampedCache } from './stamped-cache';

test('a value is given for the stamp at which it was read, and for no other', () => {
  const cache = createStampedCache<{ n: number }>({ maxSize: 10 });
  cache.set(1, 'a', { n: 1 });
  expect(cache.get(1, 'a')).toEqual({ n: 1 });
  expect(cache.get(2, 'a')).toBeUndefined();
  cache.set(2, 'b', { n: 2 });
  expect(cache.get(1, 'a')).toBeUndefined();
  // A reader that was slow has read at an older stamp.
  cache.set(1, 'c', { n: 3 });
  expect(cache.get(2, 'c')).toBeUndefined();
});
