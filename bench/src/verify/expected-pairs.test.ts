import type { SbomState } from '../load/api';
import { pairsProblem } from './expected-pairs';

function found(...pairs: [string, string[]][]): SbomState {
  return {
    id: '1',
    service_id: null,
    scan_status: 'scanned',
    scanned_at: '2026-01-01T00:00:00.000Z',
    advisory_data: 'feed',
    vulnerabilities: pairs.map(([purl, advisory_ids]) => ({ cve_id: 'CVE', purl, advisory_ids })),
  };
}

const expected = { pairs: ['pkg:a\tGO-1', 'pkg:a\tGHSA-1', 'pkg:b\tGO-2'], complete: true };

test('all known pairs and no other is right, however they are grouped', () => {
  expect(
    pairsProblem(found(['pkg:a', ['GHSA-1', 'GO-1']], ['pkg:b', ['GO-2']]), expected),
  ).toBeUndefined();
});

test('a pair that is not found is named', () => {
  const problem = pairsProblem(found(['pkg:a', ['GHSA-1', 'GO-1']]), expected);
  expect(problem).toBe('of 3 known (purl, advisory) pairs: 1 missing (pkg:b GO-2)');
});

test('a pair too many is wrong only where all pairs are known', () => {
  const more = found(['pkg:a', ['GHSA-1', 'GO-1', 'GO-9']], ['pkg:b', ['GO-2']]);
  expect(pairsProblem(more, expected)).toContain('1 unexpected (pkg:a GO-9)');
  expect(pairsProblem(more, { ...expected, complete: false })).toBeUndefined();
});

test('nothing found is wrong', () => {
  expect(pairsProblem(found(), expected)).toContain('3 missing');
});
