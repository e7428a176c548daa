import fc from 'fast-check';
import { parsePurl } from './parse';

describe('a package URL is taken apart', () => {
  test('into all of its parts', () => {
    expect(
      parsePurl('pkg:maven/org.apache.commons/io@1.3.4?type=zip&classifier=dist#docs/api'),
    ).toEqual({
      type: 'maven',
      namespace: 'org.apache.commons',
      name: 'io',
      version: '1.3.4',
      qualifiers: { type: 'zip', classifier: 'dist' },
      subpath: 'docs/api',
    });
  });

  test('with absent parts as null', () => {
    expect(parsePurl('pkg:gem/rails')).toEqual({
      type: 'gem',
      namespace: null,
      name: 'rails',
      version: null,
      qualifiers: {},
      subpath: null,
    });
  });

  test.each([
    ['pkg:npm/%40angular/core@16.0.0', '@angular', 'core', '16.0.0'],
    ['pkg:npm/@angular/core@16.0.0', '@angular', 'core', '16.0.0'],
    ['pkg:npm/@angular/core', '@angular', 'core', null],
    ['pkg:npm/@scope@1.0.0', null, '@scope', '1.0.0'],
    [
      'pkg:golang/github.com/aws/aws-sdk-go-v2/service/s3@v1.2.3?type=module#x',
      'github.com/aws/aws-sdk-go-v2/service',
      's3',
      'v1.2.3',
    ],
    ['pkg:deb/debian/curl@7.50.3-1%2Bdeb9u1?arch=i386', 'debian', 'curl', '7.50.3-1+deb9u1'],
    ['pkg:deb/debian/git@1:2.30.2-1', 'debian', 'git', '1:2.30.2-1'],
    ['pkg:oci/debian@sha256:244fd47e07d10?tag=bullseye', null, 'debian', 'sha256:244fd47e07d10'],
    ['pkg:npm/foo@', null, 'foo', null],
    ['pkg:npm/foo/@1.0', null, 'foo', '1.0'],
    ['pkg:nuget/Ninject%403.3.6', null, 'Ninject', '3.3.6'],
    ['pkg:npm/%40a/b%401.0', '@a', 'b', '1.0'],
    ['pkg:npm/%40a%2Fb%401.0', null, '@a/b', '1.0'],
    ['pkg:npm/%40a%2Fb', null, '@a/b', null],
    ['pkg:generic/a%40b', null, 'a@b', null],
  ])('%s keeps namespace, name and version apart', (text, ...parts) => {
    const [namespace, name, version] = parts;
    expect(parsePurl(text)).toMatchObject({ namespace, name, version });
  });

  test('with the case of namespace, name and version kept, so that npm JSONStream stays itself', () => {
    expect(parsePurl('pkg:npm/JSONStream@1.0.0-RC1')).toMatchObject({
      name: 'JSONStream',
      version: '1.0.0-RC1',
    });
    expect(parsePurl('pkg:golang/github.com/Masterminds/Squirrel@v1')).toMatchObject({
      namespace: 'github.com/Masterminds',
      name: 'Squirrel',
    });
  });

  test.each([
    'PKG:NPM/foo@1',
    'pkg:/npm/foo@1',
    'pkg://npm/foo@1',
    'pkg:npm//foo@1',
    ' pkg:npm/foo@1 ',
  ])('%j is read although scheme, type or slashes are unusual', (text) => {
    expect(parsePurl(text)).toMatchObject({
      type: 'npm',
      namespace: null,
      name: 'foo',
      version: '1',
    });
  });

  test('with qualifier keys in lower case, empty ones left out and a raw question mark in a value', () => {
    expect(
      parsePurl('pkg:maven/a/b@1?Repository_URL=https://x.org/m?y=1&empty=&=z&flag&type=jar')
        ?.qualifiers,
    ).toEqual({ repository_url: 'https://x.org/m?y=1', type: 'jar' });
  });

  test('with a qualifier named like an object property kept as data', () => {
    const qualifiers = parsePurl('pkg:npm/a@1?__proto__=x&constructor=y')?.qualifiers ?? {};
    expect(Object.entries(qualifiers)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  test('with dot segments of the subpath left out', () => {
    expect(parsePurl('pkg:npm/a.b/c#/x/./%2E%2E/../y/')?.subpath).toBe('x/y');
  });

  test('with a malformed escape kept as it is written', () => {
    expect(parsePurl('pkg:npm/100%25%zz@1%')).toMatchObject({ name: '100%25%zz', version: '1%' });
  });
});

describe('the subpath of a Go package', () => {
  test('continues the path, because syft writes the end of a module path there', () => {
    expect(parsePurl('pkg:golang/github.com/jackc/pgx@v4.10.1#v4')).toEqual({
      ...parsePurl('pkg:golang/github.com/jackc/pgx/v4@v4.10.1'),
      module: 'github.com/jackc/pgx',
    });
    expect(parsePurl('pkg:golang/github.com/aws/sdk@v1.2.0?goos=linux#service/s3')).toMatchObject({
      namespace: 'github.com/aws/sdk/service',
      name: 's3',
      version: 'v1.2.0',
      subpath: null,
    });
    expect(parsePurl('pkg:golang/stdlib@1.22.0#net/http')?.name).toBe('stdlib');
  });

  test.each(['module', 'package'])('is below the module if the purl has type=%s', (type) => {
    expect(
      parsePurl(`pkg:golang/github.com/elastic/harp@v0.2.10?type=${type}#cmd/harp`),
    ).toMatchObject({ namespace: 'github.com/elastic', name: 'harp', subpath: 'cmd/harp' });
  });
});

describe('no package URL', () => {
  test.each([
    '',
    'pkg',
    'pkg:',
    'pkg:npm',
    'pkg:npm/',
    'pkg:npm/?a=b',
    'pkg:npm/@',
    'pkg:npm/@1.0.0',
    'pkg:1x/a',
    'pkg:n_m/a',
    'https://a/b',
    'npm/a@1',
  ])('%j gives null', (text) => {
    expect(parsePurl(text)).toBeNull();
  });

  test('any text whatever is answered without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, prefix) => {
        const purl = parsePurl(prefix ? `pkg:npm/${text}` : text);
        expect(purl === null || purl.name !== '').toBe(true);
      }),
    );
  });
});

test('what is escaped comes back as it was, whatever the text', () => {
  const part = fc.string({ minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(part, part, part, (namespace, name, version) => {
      const text = `pkg:generic/${[namespace, name].map(encodeURIComponent).join('/')}@${encodeURIComponent(version)}`;
      expect(parsePurl(text)).toMatchObject({ namespace, name, version });
    }),
  );
});
