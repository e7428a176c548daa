import fc from 'fast-check';
import { fullName } from './full-name';
import { packageIdentity } from './package-identity';
import { parsePurl } from './parse';
import type { PackageUrl } from './parse';

function purl(text: string): PackageUrl {
  const parsed = parsePurl(text);
  if (parsed === null) throw new Error(`${text} is no purl`);
  return parsed;
}

describe('the name that an ecosystem itself uses', () => {
  test.each([
    ['pkg:npm/%40angular/core@1', '@angular/core'],
    ['pkg:npm/angular/core@1', '@angular/core'],
    ['pkg:npm/%40angular%2Fcore@1', '@angular/core'],
    ['pkg:npm/JSONStream@1', 'JSONStream'],
    ['pkg:maven/org.springframework/spring-core@5', 'org.springframework:spring-core'],
    ['pkg:maven/junit@4', 'junit'],
    ['pkg:deb/debian/libssl3@3.0', 'libssl3'],
    ['pkg:rpm/redhat/openssl@3', 'openssl'],
    ['pkg:apk/alpine/busybox@1', 'busybox'],
    ['pkg:alpine/busybox@1', 'busybox'],
    ['pkg:golang/github.com/BurntSushi/toml@v1?type=module#cmd/x', 'github.com/BurntSushi/toml'],
    ['pkg:golang/github.com/jackc/pgx@v4.10.1#v4', 'github.com/jackc/pgx/v4'],
    ['pkg:golang/stdlib@1.20', 'stdlib'],
    ['pkg:composer/laravel/framework@9', 'laravel/framework'],
    ['pkg:pypi/Django@4', 'Django'],
  ])('of %s is %s', (text, name) => {
    expect(fullName(purl(text))).toBe(name);
  });
});

describe('the identity of a package over its versions', () => {
  test.each([
    ['version, qualifiers and subpath', 'pkg:npm/a@1?x=y#z', 'pkg:npm/a@2'],
    ['a scope written raw or escaped', 'pkg:npm/@a/b@1', 'pkg:npm/%40a/b@1'],
    ['a scope escaped together with the name', 'pkg:npm/%40a%2Fb@1', 'pkg:npm/%40a/b@1'],
    ['PyPI spelling', 'pkg:pypi/Zope.Interface__x@1', 'pkg:pypi/zope-interface-x@2'],
    ['the case of NuGet names', 'pkg:nuget/Newtonsoft.Json', 'pkg:nuget/newtonsoft.json'],
    [
      'the case of Composer names',
      'pkg:composer/Laravel/Framework',
      'pkg:composer/laravel/framework',
    ],
    ['the case of GitHub names', 'pkg:github/Actions/Checkout', 'pkg:github/actions/checkout'],
    ['the case of Hex names', 'pkg:hex/Phoenix', 'pkg:hex/phoenix'],
    ['the older type of Alpine packages', 'pkg:alpine/busybox@1', 'pkg:apk/alpine/busybox@1'],
  ])('does not depend on %s', (_what, a, b) => {
    expect(packageIdentity(purl(a))).toBe(packageIdentity(purl(b)));
  });

  test.each([
    ['npm names of different case', 'pkg:npm/JSONStream', 'pkg:npm/jsonstream'],
    [
      'Go modules of different case',
      'pkg:golang/github.com/Azure/x',
      'pkg:golang/github.com/azure/x',
    ],
    ['Cargo names with - and _', 'pkg:cargo/a-b', 'pkg:cargo/a_b'],
    ['types', 'pkg:npm/a', 'pkg:pypi/a'],
    ['distributions', 'pkg:deb/debian/curl', 'pkg:deb/ubuntu/curl'],
    ['RPM names of different case', 'pkg:rpm/fedora/R', 'pkg:rpm/fedora/r'],
  ])('keeps %s apart', (_what, a, b) => {
    expect(packageIdentity(purl(a))).not.toBe(packageIdentity(purl(b)));
  });

  test('is a purl in canonical form', () => {
    expect(packageIdentity(purl("pkg:npm/@a/it's(ok)!@1"))).toBe('pkg:npm/%40a/it%27s%28ok%29%21');
    expect(packageIdentity(purl('pkg:generic/a:b@1'))).toBe('pkg:generic/a:b');
  });

  test('is its own identity, whatever was written', () => {
    const types = fc.constantFrom('npm', 'pypi', 'golang', 'nuget', 'rpm', 'alpine', 'maven');
    fc.assert(
      fc.property(types, fc.string({ unit: 'binary', minLength: 1 }), (type, path) => {
        const parsed = parsePurl(`pkg:${type}/${path}`);
        if (parsed === null) return;
        const identity = packageIdentity(parsed);
        expect(packageIdentity(purl(identity))).toBe(identity);
      }),
      { numRuns: 500 },
    );
  });
});
