import { expect, test } from '@jest/globals';
import type { FeedPart } from './feed-state';
import { confirmedPart, failedPart, loadedPart, type Taken } from './feed-part';

const [before, now] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-02T00:00:00Z')];
const live = { at: now, isLive: true };
const stored: FeedPart = {
  label: 'npm',
  covers: ['npm'],
  fingerprint: 'one',
  origin: 'https://osv.example',
  records: 10,
  rejected: 2,
  unread: ['BAD-1', 'BAD-2'],
  error: null,
  failed_at: null,
  checked_at: before,
  as_of: before,
  revision: 3,
};
const taken: Taken = {
  fingerprint: 'two',
  asOf: now,
  increment: null,
  records: 11,
  rejected: [],
  revision: 4,
};

test('a failed poll keeps the stored data and records its time', () => {
  const failed = failedPart(stored, live, 'the server answered with status 500');
  expect(failed).toEqual({
    ...stored,
    error: 'the server answered with status 500',
    failed_at: now,
  });
  expect(confirmedPart(failed, live)).toMatchObject({ error: null, failed_at: null });
});

test('what a server calls unchanged is current; files are as old as they are', () => {
  expect(confirmedPart(stored, live)).toEqual({ ...stored, checked_at: now, as_of: now });
  const files = { at: now, isLive: false };
  expect(confirmedPart(stored, files)).toEqual({ ...stored, checked_at: now });
});

test('a whole edition counts its unread records anew, an increment those that it speaks of', () => {
  expect(loadedPart(stored, live, taken)).toMatchObject({ rejected: 0, unread: [], revision: 4 });
  const increment = { ...taken, increment: ['BAD-1', 'NEW-1'], rejected: ['NEW-1'] };
  const after = loadedPart(stored, live, increment);
  expect(after).toMatchObject({ rejected: 2, unread: ['BAD-2', 'NEW-1'], as_of: now });
  const again = { ...taken, increment: ['NEW-1'], rejected: ['NEW-1'] };
  expect(loadedPart(after, live, again)).toMatchObject({ rejected: 2 });
});

test('a load that changed no record leaves the revision of the part', () => {
  expect(loadedPart(stored, live, { ...taken, revision: null }).revision).toBe(3);
});
