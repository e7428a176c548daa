import { describe, expect, test } from '@jest/globals';
import { locate } from '@bomtrail/osv';
import { extraNameOf, isNamed, isOfVersion } from './component-name';

function extra(name: string, version: string, purl: string | null) {
  const located = locate({ purl, version });
  const packages = located.kind === 'packages' ? located.packages : [];
  return extraNameOf({ name, version, purl }, packages);
}

describe('a component is noted by its name', () => {
  test.each([
    ['lodash', '4.17.15', 'pkg:npm/lodash@4.17.15'],
    ['@angular/core', '1.0.0', 'pkg:npm/%40angular/core@v1.0.0'],
    ['Zope.Interface', '5.0', 'pkg:pypi/Zope.Interface@5.0'],
    ['github.com/x/y', 'v1.2.3', 'pkg:golang/github.com/x/y@v1.2.3'],
    ['a:b', '1', 'pkg:maven/a/b@1?type=jar'],
    ['curl', '7.88.1-10', 'pkg:deb/debian/curl@7.88.1-10?distro=debian-12'],
  ])('not where its package version answers to it: %s %s', (name, version, purl) => {
    expect(extra(name, version, purl)).toBeNull();
  });

  test.each([
    ['busybox', '1', null, null, ['1']],
    ['thing', '', 'pkg:generic/thing', 'pkg:generic/thing', ['']],
    ['lodash', '', 'pkg:npm/lodash', 'pkg:npm/lodash', ['']],
    [
      ...['libssl3', '3.0.9', 'pkg:deb/debian/libssl3@3.0.9?upstream=openssl'],
      ...['pkg:deb/debian/libssl3', ['3.0.9']],
    ],
    ['lodash', '4', 'pkg:npm/lodash@4.0.0', 'pkg:npm/lodash', ['4', '4.0.0']],
    ['std', '1.21.0', 'pkg:golang/std@1.21.0', 'pkg:golang/std', ['1.21.0']],
  ] as [string, string, string | null, string | null, string[]][])(
    'where nothing else answers to it: %s %s %s',
    (...[name, version, purl, identity, versions]) => {
      expect(extra(name, version, purl)).toMatchObject({ name, identity, versions });
    },
  );

  test('once, whatever else the document says of it', () => {
    const [one, other] = [extra('a', '1', 'pkg:x/a@1?y=1'), extra('a', '1', 'pkg:x/a@1?y=2')];
    expect(one?._id).toBe(other?._id);
    expect(extra('a', '2', 'pkg:x/a@2')?._id).not.toBe(one?._id);
  });
});

test('names are compared in any case, and those of PyPI as its index does', () => {
  expect(isNamed({ ecosystem: 'npm', name: 'JSONStream' }, 'jsonstream')).toBe(true);
  expect(isNamed({ ecosystem: 'PyPI', name: 'zope-interface' }, 'Zope.Interface')).toBe(true);
  expect(isNamed({ ecosystem: 'npm', name: 'zope-interface' }, 'zope.interface')).toBe(false);
});

test('a version is the one of the document or the one that is compared', () => {
  expect(isOfVersion({ ecosystem: 'Go', version: '1.2.3' }, 'v1.2.3')).toBe(true);
  expect(isOfVersion({ ecosystem: 'PyPI', version: '1.2.3' }, 'v1.2.3')).toBe(false);
});
