import { countFeeds, troubledFeeds, worstFirst } from './feed-state';

const error = { at: '2026-11-26T00:00:00Z', message: 'no connection' };
const feeds: Parameters<typeof worstFirst>[0] = [
  { ecosystem: 'Alpine', data_status: 'feed_not_loaded', last_error: null },
  { ecosystem: 'npm', data_status: 'feed', last_error: null },
  { ecosystem: 'Go', data_status: 'feed', last_error: null },
  { ecosystem: 'PyPI', data_status: 'starter_data', last_error: null },
  { ecosystem: 'Debian', data_status: 'feed_stale', last_error: null },
  { ecosystem: 'Maven', data_status: 'feed', last_error: error },
];

test('a failed and an old feed come before those that are loaded, one that is not loaded is last', () => {
  expect(worstFirst(feeds).map(({ ecosystem }) => ecosystem)).toEqual([
    'Maven',
    'Debian',
    'PyPI',
    'Go',
    'npm',
    'Alpine',
  ]);
});

test('a feed with data of before that failed counts as failed only', () => {
  expect(countFeeds(feeds)).toEqual({ failed: 1, stale: 1, starter: 1, loaded: 2, unloaded: 1 });
});

test('a feed that failed and is old is named and counted as both', () => {
  const both: Parameters<typeof troubledFeeds>[0] = [
    ...feeds,
    { ecosystem: 'RubyGems', data_status: 'feed_stale', last_error: error },
  ];
  expect(troubledFeeds(both)).toEqual({
    failed: ['Maven', 'RubyGems'],
    stale: ['Debian', 'RubyGems'],
  });
  expect(countFeeds(both)).toEqual({ failed: 2, stale: 2, starter: 1, loaded: 2, unloaded: 1 });
});
