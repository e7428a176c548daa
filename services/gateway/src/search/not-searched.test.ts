import { notSearched } from './not-searched';

const sboms = (pending_sboms: number, failed_sboms: number) => ({ pending_sboms, failed_sboms });

test('a search that leaves nothing out says nothing', () => {
  expect(notSearched({ unscanned: sboms(0, 0), complete: true })).toBeNull();
  expect(notSearched({ unscanned: sboms(0, 0) })).toBeNull();
});

test.each([
  [sboms(1, 0), true, 'not searched: 1 SBOM not scanned yet'],
  [sboms(0, 2), true, 'not searched: 2 SBOMs that failed to scan or expired'],
  [
    sboms(3, 1),
    true,
    'not searched: 3 SBOMs not scanned yet, 1 SBOM that failed to scan or expired',
  ],
  [sboms(0, 0), false, 'not searched: SBOMs that this release has not evaluated yet'],
])('%j, complete: %j', (unscanned, complete, said) => {
  expect(notSearched({ unscanned, complete })).toBe(said);
});
