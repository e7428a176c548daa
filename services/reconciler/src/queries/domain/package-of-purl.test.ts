import { literally, packageOfPurl } from './package-of-purl';

test.each([
  ['pkg:npm/lodash', { ecosystem: 'npm', name: 'lodash', version: null }],
  ['pkg:npm/%40Scope/A@1.0.0', { ecosystem: 'npm', name: '@scope/a', version: '1.0.0' }],
  ['pkg:maven/org.x/y@1?type=jar', { ecosystem: 'Maven', name: 'org.x:y', version: '1' }],
  [
    'pkg:deb/debian/openssl@1%3A3.0?arch=amd64',
    { ecosystem: 'Debian', name: 'openssl', version: '1:3.0' },
  ],
  ['pkg:apk/alpine/busybox', { ecosystem: 'Alpine', name: 'busybox', version: null }],
  ['pkg:golang/github.com/a/b', { ecosystem: 'Go', name: 'github.com/a/b', version: null }],
  ['pkg:generic/a@1', null],
  ['pkg:deb/unheard/a', null],
  ['lodash', null],
])('%s names %j', (purl, expected) => {
  expect(packageOfPurl(purl)).toEqual(expected);
});

test('a name of PyPI is found in each of its spellings', () => {
  const name = packageOfPurl('pkg:pypi/Zope.Interface')?.name as RegExp;
  expect(
    ['zope-interface', 'zope_interface', 'zope..interface'].map((one) => name.test(one)),
  ).toEqual([true, true, true]);
  expect(
    ['zopeinterface', 'xzope-interface', 'zope-interfaces'].some((one) => name.test(one)),
  ).toBe(false);
});

test('a pattern of a text matches that text alone', () => {
  const text = 'a.b*c(d)[e]{f}^g$h|i\\j/k+l?m-n';
  expect(new RegExp(`^${literally(text)}$`, 'u').test(text)).toBe(true);
  expect(new RegExp(`^${literally('a.b')}$`).test('axb')).toBe(false);
});
