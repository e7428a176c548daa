import { describe, expect, test } from '@jest/globals';
import { isDatedAhead } from '../../domain/dated-ahead';
import { mergeRecord, starterLabel, type MergeDecision } from './merge-record';

const [old, now] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
const at = Date.parse(now);
const starter = starterLabel('npm');

describe('a record of a feed', () => {
  test.each<[string, { modified: string; fingerprint: string; label?: string }, MergeDecision]>([
    ['is written when it was modified later', { modified: now, fingerprint: 'b' }, 'write'],
    [
      'is written when it was corrected at the same time',
      { modified: old, fingerprint: 'b' },
      'write',
    ],
    ['is kept as it is when nothing differs', { modified: old, fingerprint: 'a' }, 'skip'],
    [
      'only joins when another part has the same',
      { modified: old, fingerprint: 'a', label: 'PyPI' },
      'adopt',
    ],
  ])('%s', (_title, incoming, decision) => {
    const stored = { modified: old, fingerprint: 'a', labels: ['npm'] };
    expect(mergeRecord(stored, { label: 'npm', ...incoming }, at)).toBe(decision);
  });

  test('never replaces a later one', () => {
    const stored = { modified: now, fingerprint: 'a', labels: ['npm'] };
    expect(mergeRecord(stored, { modified: old, fingerprint: 'b', label: 'npm' }, at)).toBe('skip');
  });

  test('replaces one that is dated in the future', () => {
    const ahead = '2026-03-01T00:00:00.000Z';
    expect([ahead, now].map((one) => isDatedAhead(Date.parse(one), at))).toEqual([true, false]);
    const stored = { modified: ahead, fingerprint: 'a', labels: ['npm'] };
    expect(mergeRecord(stored, { modified: old, fingerprint: 'b', label: 'npm' }, at)).toBe(
      'write',
    );
    expect(mergeRecord(stored, { modified: old, fingerprint: 'b', label: starter }, at)).toBe(
      'adopt',
    );
  });

  test('replaces what only the starter set has, whatever the times say', () => {
    const stored = { modified: now, fingerprint: 'a', labels: [starter] };
    expect(mergeRecord(stored, { modified: old, fingerprint: 'b', label: 'npm' }, at)).toBe(
      'write',
    );
  });

  test('is never replaced by the starter set', () => {
    const stored = { modified: old, fingerprint: 'a', labels: ['npm'] };
    expect(mergeRecord(stored, { modified: now, fingerprint: 'b', label: starter }, at)).toBe(
      'adopt',
    );
  });

  test('is written when nothing is stored', () => {
    expect(mergeRecord(null, { modified: old, fingerprint: 'a', label: 'npm' }, at)).toBe('write');
  });
});
