import { expect, test } from '@jest/globals';
import type { AdvisoryFeeds } from '@bomtrail/api-client';
import { failureLines } from './status';

test('a reason that several ecosystems share is said once', () => {
  const feeds = [feed('Go', 'no such folder'), feed('PyPI', 'no zip'), feed('npm', null)];
  expect(lines({ feeds })).toBe('Go: no such folder\nPyPI: no zip\n');
  const gone = feeds.map(({ ecosystem }) => feed(ecosystem, '/srv/osv does not exist'));
  expect(lines({ feeds: gone })).toBe('All ecosystems: /srv/osv does not exist\n');
  expect(lines({ feeds: [...gone, feed('Hex', null)] })).toBe(
    'Go, PyPI, npm: /srv/osv does not exist\n',
  );
});

test('failures of EPSS, KEV and VEX sources are named beside those of ecosystems', () => {
  const last_error = { message: 'connection refused', at: null };
  const risk_feeds = [
    { feed: 'epss', last_error: null },
    { feed: 'kev', last_error },
  ];
  const vex_sources = [{ source: '/srv/vex', last_error: { message: 'no such folder', at: null } }];
  expect(lines({ feeds: [feed('npm', null)], risk_feeds, vex_sources })).toBe(
    'KEV: connection refused\n/srv/vex: no such folder\n',
  );
});

function lines(state: object): string {
  return failureLines({ risk_feeds: [], vex_sources: [], ...state } as unknown as AdvisoryFeeds);
}

function feed(ecosystem: string, message: string | null): AdvisoryFeeds['feeds'][number] {
  const last_error = message === null ? null : { message, at: null };
  return { ecosystem, last_error } as AdvisoryFeeds['feeds'][number];
}
