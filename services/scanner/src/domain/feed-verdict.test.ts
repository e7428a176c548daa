import { expect, test } from '@jest/globals';
import { dataAfterLoad, refusalOf } from './feed-verdict';

test.each([
  [0, 0, true],
  [0, 10, true],
  [4, 10, true],
  [5, 10, false],
  [1, 0, false],
])('an edition of %i records, with %i held, is refused: %s', (found, held, refused) => {
  expect(refusalOf({ found, held }) !== null).toBe(refused);
});

const loaded = { loaded: true };
const failed = { loaded: false };

test('answers stand on the feed once all of its parts are loaded, and from then on', () => {
  expect(dataAfterLoad('starter', { isStarter: false, parts: [loaded, failed] })).toBe('starter');
  expect(dataAfterLoad('starter', { isStarter: false, parts: [loaded, loaded] })).toBe('feed');
  expect(dataAfterLoad('feed', { isStarter: false, parts: [failed] })).toBe('feed');
  expect(dataAfterLoad('none', { isStarter: true, parts: [loaded] })).toBe('starter');
  expect(dataAfterLoad('none', { isStarter: false, parts: [failed] })).toBe('none');
});
