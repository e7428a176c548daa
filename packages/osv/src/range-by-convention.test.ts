import { comparerOf } from '@bomtrail/versioning';
import type { Compare } from './range';
import { rangeContainsForCertain } from './range-by-convention';
import type { OsvEvent, OsvRange } from './record';

const compare = comparerOf('PyPI') as Compare;

function held(version: string, ...events: OsvEvent[]): string {
  const range: OsvRange = { type: 'ECOSYSTEM', events };
  return rangeContainsForCertain(range, version, { ecosystem: 'PyPI', compare });
}

describe('M40: a version whose place is only a convention', () => {
  test('is affected where the convention says so', () => {
    expect(held('2004d', { introduced: '0' }, { fixed: '2020.1' })).toBe('yes');
    expect(held('2004d', { introduced: '0' }, { last_affected: '2020.1' })).toBe('yes');
    expect(held('2004d', { introduced: '0' })).toBe('yes');
  });

  test('is never unaffected by it', () => {
    expect(held('4.11-final', { introduced: '4.0' }, { fixed: '5.0' })).toBe('unknown');
    expect(held('4.11-final', { introduced: '0' }, { fixed: '4.12-final' })).toBe('yes');
    expect(held('4.13-final', { introduced: '4.0' })).toBe('unknown');
  });

  test('is unaffected where its own kind says so', () => {
    expect(held('0.8.1p1', { introduced: '0' }, { fixed: '0.7.11p1' })).toBe('no');
  });

  test('tells nothing of a version of the other kind', () => {
    expect(held('0.5', { introduced: '0' }, { fixed: '0.7.10p1' })).toBe('unknown');
    expect(held('0.9', { introduced: '0' }, { fixed: '0.7.10p1' })).toBe('unknown');
    expect(held('0.9', { introduced: '0.3m1' })).toBe('unknown');
  });

  test.each(['unknown', 'master', '3fa85f6', '1.0.x', '7e0c1a6d0f0d4b0e8a52a1b9a2d4c1f5e6d7c8b9'])(
    'is not what only stands where a version should: %s',
    (text) => {
      expect(held(text, { introduced: '0' }, { fixed: '1.0' })).toBe('unknown');
      expect(held(text, { introduced: '1.0' }, { fixed: '2.0' })).toBe('unknown');
    },
  );
});
