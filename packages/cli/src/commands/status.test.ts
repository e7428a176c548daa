import { expect, test } from '@jest/globals';
import type { AdvisoryFeeds } from '@bomtrail/api-client';
import { failureLines } from './status';

test('a reason that several ecosystems share is said once', () => {
  const feeds = [feed('Go', 'no such folder'), feed('PyPI', 'no zip'), feed('npm', null)];
  expect(failureLines(feeds)).toBe('Go: no such folder\nPyPI: no zip\n');
  const gone = feeds.map(({ ecosystem }) => feed(ecosystem, '/srv/osv does not exist'));
  expect(failureLines(gone)).toBe('All ecosystems: /srv/osv does not exist\n');
  expect(failureLines([...gone, feed('Hex', null)])).toBe(
    'Go, PyPI, npm: /srv/osv does not exist\n',
  );
});

function feed(ecosystem: string, message: string | null): AdvisoryFeeds['feeds'][number] {
  const last_error = message === null ? null : { message, at: null };
  return { ecosystem, last_error } as AdvisoryFeeds['feeds'][number];
}
