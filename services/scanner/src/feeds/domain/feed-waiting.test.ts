import { expect, test } from '@jest/globals';
import { loadsToAwait, type FeedPlan, type PolledState } from './feed-waiting';

const origin = 'https://osv.example';
const onDemand: FeedPlan = { origin, isOnDemand: true, chosen: null };
const whole: FeedPlan = { origin: '/srv/osv', isOnDemand: false, chosen: null };
const at = new Date('2026-03-01T00:00:00Z');

function state(...parts: Partial<PolledState['parts'][number]>[]): PolledState {
  return {
    parts: parts.map((part) => ({
      label: 'npm',
      covers: ['npm'],
      fingerprint: null,
      origin,
      as_of: null,
      failed_at: null,
      checked_at: null,
      ...part,
    })),
  };
}

test('a scan waits for an ecosystem that was never looked at, and for no other', () => {
  const loaded = state({ fingerprint: 'one', checked_at: at });
  expect(loadsToAwait(['npm', 'PyPI'], loaded, onDemand)).toEqual(['PyPI']);
});

test('the starter set is nothing that ends the wait', () => {
  const starter = state({
    label: 'starter/npm',
    origin: 'starter',
    fingerprint: 'one',
    checked_at: at,
  });
  expect(loadsToAwait(['npm'], starter, onDemand)).toEqual(['npm']);
});

test('a load that failed, or found nothing, ends the wait', () => {
  expect(loadsToAwait(['npm'], state({ failed_at: at }), onDemand)).toEqual([]);
  expect(loadsToAwait(['npm'], state({ checked_at: at }), onDemand)).toEqual([]);
});

test('a failure of another source does not end it, what was loaded from there does', () => {
  const elsewhere = { origin: 'https://other.example' };
  expect(loadsToAwait(['npm'], state({ ...elsewhere, failed_at: at }), onDemand)).toEqual(['npm']);
  expect(loadsToAwait(['npm'], state({ ...elsewhere, fingerprint: 'one' }), onDemand)).toEqual([]);
});

test('ecosystems that will not be loaded are not awaited', () => {
  const chosen = { ...onDemand, chosen: new Set(['npm']) };
  expect(loadsToAwait(['npm', 'PyPI'], state(), chosen)).toEqual(['npm']);
  expect(loadsToAwait(['npm'], state(), { ...onDemand, origin: null })).toEqual([]);
});

test('a source that is taken whole is waited for until its first look has ended', () => {
  expect(loadsToAwait(['npm'], state(), whole)).toEqual(['npm']);
  expect(loadsToAwait(['npm'], { ...state(), polled_origin: '/srv/osv' }, whole)).toEqual([]);
  expect(loadsToAwait(['npm'], { ...state(), polled_origin: '/srv/old' }, whole)).toEqual(['npm']);
});
