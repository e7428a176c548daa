import { describe, expect, test } from '@jest/globals';
import { dataStatusOf } from './feed-data-status';

const now = Date.parse('2026-03-10T00:00:00Z');
const at = { now, staleAfterMs: 48 * 3600_000 };
const hoursAgo = (hours: number) => new Date(now - hours * 3600_000);

function part(label: string, fields: { as_of?: Date; failed?: true } = {}) {
  const { failed, as_of = null } = fields;
  const covers = [label.replace('starter/', '')];
  return { label, covers, fingerprint: failed ? null : 'one', as_of };
}

const data_status = (...parts: ReturnType<typeof part>[]) => dataStatusOf('npm', { parts }, at);

test('the data status is feed while its data was confirmed recently', () => {
  expect(data_status(part('npm', { as_of: hoursAgo(48) }))).toBe('feed');
  expect(data_status(part('npm', { as_of: hoursAgo(49) }))).toBe('feed_stale');
});

test('the most current part counts, and any part of the feed before the starter set', () => {
  const old = part('npm', { as_of: hoursAgo(100) });
  const mixed = { ...part('all', { as_of: hoursAgo(1) }), covers: ['PyPI', 'npm'] };
  expect(data_status(old, mixed)).toBe('feed');
  expect(data_status(old, part('starter/npm', { as_of: hoursAgo(1) }))).toBe('feed_stale');
});

test('without a loaded part of the feed it is the starter set, or none', () => {
  const failed = part('npm', { failed: true });
  expect(data_status(failed, part('starter/npm'))).toBe('starter_data');
  expect(data_status(failed, part('PyPI', { as_of: hoursAgo(1) }))).toBe('feed_not_loaded');
});

describe('a release of a distribution', () => {
  const debian = part('Debian', { as_of: hoursAgo(1) });
  const withReleases = { ...debian, releases: ['Debian:11', 'Debian:12'] };

  test('has no data if no advisory of the feed names it', () => {
    expect(dataStatusOf('Debian:12', { parts: [withReleases] }, at)).toBe('feed');
    expect(dataStatusOf('Debian:8', { parts: [withReleases] }, at)).toBe('feed_not_loaded');
    expect(dataStatusOf('Debian', { parts: [withReleases] }, at)).toBe('feed');
  });

  test('has feed data while the releases of the feed are not recorded', () => {
    expect(dataStatusOf('Debian:8', { parts: [debian] }, at)).toBe('feed');
  });
});
