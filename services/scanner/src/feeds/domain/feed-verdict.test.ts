import { expect, test } from '@jest/globals';
import { cveRecordsLabel } from './cve-records-part';
import { dataOf, foreignReason, rejectionReason, supersededStarters } from './feed-verdict';

test.each([
  [0, 0, true],
  [0, 10, true],
  [4, 10, true],
  [5, 10, false],
  [1, 0, false],
])('an edition of %i records, with %i stored, is rejected: %s', (found, stored, refused) => {
  expect(rejectionReason({ found, stored }) !== null).toBe(refused);
});

test.each([
  [['npm'], ['PyPI'], true],
  [['npm'], ['PyPI', 'npm'], false],
  // All withdrawn, or only of ecosystems that are not matched.
  [['npm'], [], false],
  [['npm', 'PyPI'], ['PyPI'], false],
  // CVE records cover nothing.
  [[], ['npm'], false],
])('an edition of a part of %j with advisories of %j is foreign: %s', (covers, found, foreign) => {
  expect(foreignReason(covers, new Set(found)) !== null).toBe(foreign);
});

const loaded = (label: string) => part(label, 'one');
const failed = (label: string) => part(label, null);
function part(label: string, fingerprint: string | null) {
  return { label, covers: [label.replace('starter/', '')], fingerprint };
}

test('the overall data is feed once no expected ecosystem uses the starter set', () => {
  const starters = [loaded('starter/npm'), loaded('starter/PyPI')];
  expect(dataOf([failed('npm')])).toBe('none');
  expect(dataOf(starters)).toBe('starter');
  expect(dataOf([failed('npm'), ...starters])).toBe('starter');
  expect(dataOf([loaded('npm'), failed('PyPI'), ...starters])).toBe('starter');
  expect(dataOf([loaded('npm'), loaded('starter/PyPI')])).toBe('feed');
  expect(dataOf([loaded('npm'), failed('Debian'), loaded('starter/PyPI')])).toBe('feed');
});

test('CVE records are no advisory data', () => {
  const records = { ...loaded(cveRecordsLabel), covers: [] };
  expect(dataOf([records])).toBe('none');
  expect(dataOf([records, failed('npm')])).toBe('none');
  expect(dataOf([records, loaded('starter/npm')])).toBe('starter');
  expect(dataOf([records, loaded('npm')])).toBe('feed');
});

test('the starter set leaves ecosystem by ecosystem', () => {
  const [npm, pypi] = [loaded('starter/npm'), loaded('starter/PyPI')];
  const supersededBy = (isWhole: boolean, ...polled: ReturnType<typeof part>[]) =>
    supersededStarters([npm, pypi], { isWhole, polled, others: [] });
  expect(supersededBy(false, loaded('npm'))).toEqual([npm]);
  expect(supersededBy(false, loaded('npm'), failed('PyPI'))).toEqual([npm]);
  expect(supersededBy(true, loaded('npm'), failed('PyPI'))).toEqual([npm]);
  const others = [loaded('npm')];
  const later = { isWhole: false, polled: [loaded('PyPI')], others };
  expect(supersededStarters([npm, pypi], later)).toEqual([npm, pypi]);
});

test('it leaves as a whole when a source that is taken whole is loaded: what that lacks is not known', () => {
  const starters = [loaded('starter/npm'), loaded('starter/PyPI')];
  const load = { isWhole: true, polled: [loaded('npm')], others: [] };
  expect(supersededStarters(starters, load)).toEqual(starters);
});
