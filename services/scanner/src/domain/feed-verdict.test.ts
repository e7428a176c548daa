import { expect, test } from '@jest/globals';
import { dataOf, httpErrorOf, startersToLeave } from './feed-verdict';

test.each([
  [0, 0, true],
  [0, 10, true],
  [4, 10, true],
  [5, 10, false],
  [1, 0, false],
])('an edition of %i records, with %i held, is refused: %s', (found, held, refused) => {
  expect(httpErrorOf({ found, held }) !== null).toBe(refused);
});

const loaded = (label: string) => part(label, 'one');
const failed = (label: string) => part(label, null);
function part(label: string, fingerprint: string | null) {
  return { label, covers: [label.replace('starter/', '')], fingerprint };
}

test('answers stand on the feed once nothing that it was looked at for stands on the starter set', () => {
  const starters = [loaded('starter/npm'), loaded('starter/PyPI')];
  expect(dataOf([failed('npm')])).toBe('none');
  expect(dataOf(starters)).toBe('starter');
  expect(dataOf([failed('npm'), ...starters])).toBe('starter');
  expect(dataOf([loaded('npm'), failed('PyPI'), ...starters])).toBe('starter');
  expect(dataOf([loaded('npm'), loaded('starter/PyPI')])).toBe('feed');
  expect(dataOf([loaded('npm'), failed('Debian'), loaded('starter/PyPI')])).toBe('feed');
});

test('the starter set leaves ecosystem by ecosystem', () => {
  const [npm, pypi] = [loaded('starter/npm'), loaded('starter/PyPI')];
  const look = (isWhole: boolean, ...looked: ReturnType<typeof part>[]) =>
    startersToLeave([npm, pypi], { isWhole, looked, others: [] });
  expect(look(false, loaded('npm'))).toEqual([npm]);
  expect(look(false, loaded('npm'), failed('PyPI'))).toEqual([npm]);
  expect(look(true, loaded('npm'), failed('PyPI'))).toEqual([npm]);
  const others = [loaded('npm')];
  const later = { isWhole: false, looked: [loaded('PyPI')], others };
  expect(startersToLeave([npm, pypi], later)).toEqual([npm, pypi]);
});

test('it leaves as a whole when a source that is taken whole is loaded: what that lacks is not known', () => {
  const starters = [loaded('starter/npm'), loaded('starter/PyPI')];
  const load = { isWhole: true, looked: [loaded('npm')], others: [] };
  expect(startersToLeave(starters, load)).toEqual(starters);
});
