import { isDoubtful, nothingBy, nothingIn, nothingInAll } from './nothing-open';

const checked = (components: number, evaluated: number) => ({
  scan_status: 'scanned' as const,
  retained: true,
  coverage: { components, evaluated, undetermined: {} },
});
const whole = checked(3, 3);

test.each([
  ['no SBOM', null, 'No SBOMs'],
  ['all components were checked', whole, 'Nothing open'],
  ['an earlier release of the server', { scan_status: 'scanned' as const }, 'Nothing open'],
  ['some were', checked(1_200, 200), 'Nothing open, 1,000 of 1,200 components not checked'],
  ['none was', checked(2, 0), 'Unknown: 0 of 2 components could be checked'],
  ['there are none', checked(0, 0), 'Unknown: no components'],
  ['it cannot be read', { ...whole, coverage: null }, 'Nothing open, coverage unknown'],
  ['retention dropped it', { ...whole, retained: false }, 'Unknown: document expired'],
  ['the scan failed', { ...whole, scan_status: 'failed' as const }, 'Scan failed'],
  ['the scan is pending', { ...whole, scan_status: 'pending' as const }, 'Scan pending'],
])('a 0 where %s', (_what, sbom, words) => {
  expect(nothingIn(sbom)).toBe(words);
});

test('a project has nothing open if each of its services says so', () => {
  expect(nothingInAll([])).toBe('No SBOMs');
  expect(nothingInAll([null])).toBe('No SBOMs');
  expect(nothingInAll([null, checked(2, 0)])).toBe(nothingIn(checked(2, 0)));
  expect(nothingInAll([whole, whole])).toBe('Nothing open');
  expect(nothingInAll([whole, checked(2, 0), null])).toBe(
    'Nothing open, but 1 of 2 services could not be checked completely',
  );
});

test('with starter advisories a project says the same of its services as each of them', () => {
  const nothing = nothingBy('starter');
  expect(nothingInAll([checked(2, 0)], nothing)).toBe(nothingIn(checked(2, 0)));
  expect(nothingInAll([whole, checked(2, 0)], nothing)).toBe(
    'Nothing by starter advisories, but 1 of 2 services could not be checked completely',
  );
  expect(nothingInAll([whole, whole], nothing)).toBe('Nothing by starter advisories');
  expect(nothingBy('feed')).toBe('Nothing open');
});

test('a project is not called clean by a part of its SBOMs', () => {
  expect(nothingInAll([whole, 'unread'])).toBe(
    'Nothing open; whether older SBOMs without a service were checked is unknown',
  );
  expect(isDoubtful([whole, 'unread'])).toBe(true);
  expect(isDoubtful([whole, null])).toBe(false);
});
