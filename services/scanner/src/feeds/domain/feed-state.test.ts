import { expect, test } from '@jest/globals';
import { isSameState, type FeedState } from './feed-state';

const state: FeedState = {
  revision: 3,
  applied_revision: 2,
  stamp: 7,
  data: 'feed',
  parts: [],
  checked_at: null,
  in_force_at: new Date('2026-03-01T00:00:00Z'),
};

test('a state is the same whenever it was polled', () => {
  const in_force_at = new Date('2026-03-01T00:00:00Z');
  expect(isSameState(state, { ...state, checked_at: new Date(), in_force_at })).toBe(true);
});

test.each<Partial<FeedState>>([
  { stamp: 8 },
  { revision: 4 },
  { applied_revision: 3 },
  { in_force_at: new Date('2026-03-02T00:00:00Z') },
  { in_force_at: null },
])('a state with %j is another one', (fields) => {
  expect(isSameState(state, { ...state, ...fields })).toBe(false);
});
