import { expect, test } from '@jest/globals';
import { advisoryDataOf, coverageOf, type DataStatusLookup } from './coverage';

const dataStatus: DataStatusLookup = (ecosystem) =>
  ecosystem === 'npm'
    ? 'feed'
    : ecosystem === 'Go'
      ? 'feed_stale'
      : ecosystem === 'PyPI'
        ? 'starter_data'
        : 'feed_not_loaded';
const counts = (...ecosystems: string[]) => ({
  evaluated: Object.fromEntries(ecosystems.map((one) => [one, 1])),
});

test('only components of an ecosystem with current data of the feed count as evaluated', () => {
  const set = {
    components: 6,
    undetermined: { no_purl: 2 },
    ...counts('npm', 'Go', 'PyPI', 'Hex'),
  };
  expect(coverageOf(set, dataStatus)).toEqual({
    components: 6,
    evaluated: 1,
    undetermined: { no_purl: 2, feed_stale: 1, starter_data: 1, feed_not_loaded: 1 },
  });
});

test('an action that no advisory names is unknown only where the advisories of actions are current', () => {
  const set = { components: 3, evaluated: {}, undetermined: { unknown_action: 2, no_purl: 1 } };
  expect(coverageOf(set, () => 'feed').undetermined).toEqual({ unknown_action: 2, no_purl: 1 });
  expect(coverageOf(set, () => 'feed_stale').undetermined).toEqual({ feed_stale: 2, no_purl: 1 });
});

test('the data of a result is feed when all ecosystems of its set use the feed', () => {
  expect(advisoryDataOf(counts('npm', 'Go'), dataStatus, 'starter')).toBe('feed');
  expect(advisoryDataOf(counts('npm', 'PyPI'), dataStatus, 'feed')).toBe('starter');
  expect(advisoryDataOf(counts('npm', 'Hex'), dataStatus, 'feed')).toBe('feed');
  expect(advisoryDataOf(counts('Hex'), dataStatus, 'starter')).toBe('starter');
  expect(advisoryDataOf(counts(), dataStatus, 'starter')).toBe('starter');
  expect(advisoryDataOf(counts('npm'), dataStatus, 'none')).toBe('none');
});
