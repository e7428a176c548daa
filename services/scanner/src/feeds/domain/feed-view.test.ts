import { describe, expect, test } from '@jest/globals';
import { feedViews, withoutCredentials, type ViewedPart } from './feed-view';

const now = Date.parse('2026-03-10T00:00:00Z');
const at = { now, dataStatus: () => 'feed' as const };
const secondsAgo = (seconds: number) => new Date(now - seconds * 1000);

function part(label: string, fields: Partial<ViewedPart> = {}): ViewedPart {
  return {
    label,
    covers: [label.replace('starter/', '')],
    fingerprint: 'one',
    origin: 'folder',
    records: 10,
    rejected: 1,
    error: null,
    failed_at: null,
    checked_at: secondsAgo(500),
    as_of: secondsAgo(500),
    revision: 0,
    ...fields,
  };
}

describe('the state of the feeds', () => {
  test('names every ecosystem once, by name, also one that is not loaded', () => {
    const views = feedViews(['npm', 'Go'], [part('npm'), part('starter/npm')], at);
    expect(views.map(({ ecosystem, records }) => [ecosystem, records])).toEqual([
      ['Go', 0],
      ['npm', 10],
    ]);
    expect(views[0]).toMatchObject({ source: null, as_of: null, age_seconds: null });
  });

  test('shows the part in use: the loaded feed, else the starter set', () => {
    const starter = part('starter/npm', { records: 3, origin: 'starter' });
    const failed = part('npm', { fingerprint: null, records: 0, error: 'no such host' });
    expect(feedViews([], [failed, starter], at)[0]).toMatchObject({
      records: 3,
      source: 'starter',
      last_error: { message: 'no such host', at: null },
    });
    expect(feedViews([], [starter, part('npm')], at)[0]).toMatchObject({ records: 10 });
  });

  test('says of every ecosystem why the source could not be read at all', () => {
    const sourceError = { message: '/srv/osv does not exist', at: new Date(now) };
    const last_error = { message: '/srv/osv does not exist', at: '2026-03-10T00:00:00.000Z' };
    const views = feedViews(['Go', 'npm'], [part('npm')], { ...at, sourceError });
    expect(views).toMatchObject([{ last_error }, { last_error, records: 10 }]);
  });

  test('is as old as its data', () => {
    const checked = part('npm', { as_of: secondsAgo(20), checked_at: secondsAgo(20), revision: 7 });
    expect(feedViews([], [checked], at)[0]).toMatchObject({ age_seconds: 20, revision: 7 });
    expect(feedViews([], [part('npm')], at)[0]).toMatchObject({
      age_seconds: 500,
      revision: null,
      last_success_at: secondsAgo(500).toISOString(),
    });
  });

  test('shows no credentials, neither of the source nor in an error', () => {
    expect(withoutCredentials('https://user:pa%20ss@mirror.example/osv?sig=abc')).toBe(
      'https://mirror.example/osv',
    );
    expect(withoutCredentials('GET https://token@a.example/x failed: 500')).toBe(
      'GET https://a.example/x failed: 500',
    );
    expect(withoutCredentials('/srv/osv')).toBe('/srv/osv');
  });
});
