import type { JsonObject } from '../json';
import {
  accepted,
  directNames,
  onlyDependency,
  purlRef,
  relationship,
  spdx,
  spdxPackage,
} from '../testing/documents';

const names = (document: JsonObject) => accepted(document).dependencies.map(({ name }) => name);
const one = (changes: JsonObject) =>
  onlyDependency(spdx({ packages: [spdxPackage('a', changes)] }));

describe('a package of an SPDX document', () => {
  test.each(['PACKAGE-MANAGER', 'PACKAGE_MANAGER', 'OTHER'])('has its purl in %s', (category) => {
    const externalRefs = [
      { referenceCategory: 'SECURITY', referenceType: 'cpe23Type', referenceLocator: 'cpe:2.3:a' },
      purlRef('pkg:npm/%40scope/b@2', category),
    ];
    expect(one({ externalRefs })).toMatchObject({
      name: '@scope/b',
      version: '2',
      purl: 'pkg:npm/%40scope/b@2',
    });
  });

  test('may write the reference type as the URI of the list of types', () => {
    const ref = { ...purlRef('pkg:npm/b@2'), referenceType: 'http://spdx.org/rdf/references/purl' };
    expect(one({ externalRefs: [ref] }).purl).toBe('pkg:npm/b@2');
  });

  test('counts once for each different purl, so that none goes unscanned', () => {
    const externalRefs = ['pkg:npm/a@1', 'pkg:generic/a@1', 'pkg:npm/a@1'].map((purl) =>
      purlRef(purl),
    );
    const { dependencies } = accepted(spdx({ packages: [spdxPackage('a', { externalRefs })] }));
    expect(dependencies.map(({ purl }) => purl)).toEqual(['pkg:generic/a@1', 'pkg:npm/a@1']);
  });

  test('without a purl goes by its own name and version', () => {
    expect(one({ versionInfo: '1.2' })).toMatchObject({ name: 'a', version: '1.2', purl: null });
    expect(one({})).toMatchObject({ version: '' });
  });

  test.each<[JsonObject, string | null]>([
    [{ licenseConcluded: 'MIT', licenseDeclared: 'ISC' }, 'MIT'],
    [{ licenseConcluded: 'NOASSERTION', licenseDeclared: 'ISC' }, 'ISC'],
    [{ licenseConcluded: 'NONE', licenseDeclared: 'NOASSERTION' }, null],
    [{ licenseDeclared: '(MIT OR ISC)' }, '(MIT OR ISC)'],
    [{}, null],
  ])('%j has the licence %j', (changes, license) => {
    expect(one(changes).license).toBe(license);
  });

  test('has its primary purpose as type, in lower case', () => {
    expect(one({ primaryPackagePurpose: 'LIBRARY' }).type).toBe('library');
    expect(one({}).type).toBeNull();
  });

  test('is no file', () => {
    const files = [{ SPDXID: 'SPDXRef-f', fileName: './f', checksums: [] }];
    expect(names(spdx({ files, packages: [spdxPackage('a')] }))).toEqual(['a']);
  });
});

describe('the root of an SPDX document', () => {
  const packages = [spdxPackage('root'), spdxPackage('a')];

  test.each<[string, JsonObject]>([
    ['documentDescribes', { documentDescribes: ['SPDXRef-root'] }],
    ['DESCRIBES', { relationships: [relationship('SPDXRef-DOCUMENT DESCRIBES SPDXRef-root')] }],
    [
      'DESCRIBED_BY',
      { relationships: [relationship('SPDXRef-root DESCRIBED_BY SPDXRef-DOCUMENT')] },
    ],
    [
      'DESCRIBE, as some tools write',
      { relationships: [relationship('SPDXRef-DOCUMENT DESCRIBE SPDXRef-root')] },
    ],
    [
      'DESCRIBES from an id of its own',
      {
        SPDXID: 'SPDXRef-own',
        relationships: [relationship('SPDXRef-own DESCRIBES SPDXRef-root')],
      },
    ],
    [
      'both ways at once, beside a file',
      {
        documentDescribes: ['SPDXRef-root', 'SPDXRef-file'],
        relationships: [relationship('SPDXRef-DOCUMENT DESCRIBES SPDXRef-root')],
      },
    ],
  ])('is the package that it describes by %s', (_title, changes) => {
    expect(names(spdx({ packages, ...changes }))).toEqual(['a']);
  });

  test.each<[string, JsonObject]>([
    ['nothing is described', {}],
    ['two packages are described', { documentDescribes: ['SPDXRef-root', 'SPDXRef-a'] }],
    ['only a file is described', { documentDescribes: ['SPDXRef-file'] }],
    [
      'something else describes it',
      { relationships: [relationship('SPDXRef-a DESCRIBES SPDXRef-root')] },
    ],
  ])('does not exist when %s', (_title, changes) => {
    expect(names(spdx({ packages, ...changes }))).toEqual(['a', 'root']);
  });

  test('counts when there are no other packages', () => {
    const document = spdx({ packages: [spdxPackage('root')], documentDescribes: ['SPDXRef-root'] });
    expect(accepted(document).dependencies).toMatchObject([{ name: 'root', is_direct: true }]);
  });

  test('listed again does not count', () => {
    const again = spdxPackage('root', { SPDXID: 'SPDXRef-again' });
    const document = spdx({ packages: [...packages, again], documentDescribes: ['SPDXRef-root'] });
    expect(names(document)).toEqual(['a']);
  });
});

describe('direct dependencies in SPDX', () => {
  const packages = ['root', 'a', 'b', 'c'].map((name) => spdxPackage(name));
  const direct = (...relationships: string[]) =>
    directNames(
      spdx({
        packages,
        relationships: ['SPDXRef-DOCUMENT DESCRIBES SPDXRef-root', ...relationships].map(
          relationship,
        ),
      }),
    );

  test.each<[string[], string[]]>([
    [['SPDXRef-root DEPENDS_ON SPDXRef-a', 'SPDXRef-a DEPENDS_ON SPDXRef-b'], ['a']],
    [['SPDXRef-a DEPENDENCY_OF SPDXRef-root', 'SPDXRef-b DEPENDENCY_OF SPDXRef-a'], ['a']],
    [
      ['SPDXRef-root DEPENDS_ON SPDXRef-a', 'SPDXRef-b DEPENDENCY_OF SPDXRef-root'],
      ['a', 'b'],
    ],
    [['SPDXRef-root DEPENDS_ON SPDXRef-a', 'SPDXRef-root CONTAINS SPDXRef-b'], ['a']],
    [['SPDXRef-root CONTAINS SPDXRef-b', 'SPDXRef-b CONTAINS SPDXRef-c'], ['b']],
    [['SPDXRef-b CONTAINED_BY SPDXRef-root'], ['b']],
    [['SPDXRef-root DEPENDS_ON NONE', 'SPDXRef-root CONTAINS SPDXRef-c'], ['c']],
    [['SPDXRef-root CONTAINS SPDXRef-file'], ['a', 'b', 'c']],
    [['SPDXRef-a DEPENDS_ON SPDXRef-b'], ['a', 'b', 'c']],
    [
      ['SPDXRef-root DEPENDS_ON SPDXRef-root', 'SPDXRef-a DEPENDS_ON SPDXRef-root'],
      ['a', 'b', 'c'],
    ],
    [[], ['a', 'b', 'c']],
  ])('of %j are %j', (relationships, expected) => {
    expect(direct(...relationships)).toEqual(expected);
  });

  test('are all packages when there is no root', () => {
    const relationships = [relationship('SPDXRef-a DEPENDS_ON SPDXRef-b')];
    expect(directNames(spdx({ packages, relationships }))).toEqual(['a', 'b', 'c', 'root']);
  });
});

test('the source package in sourceInfo is kept beside the purl, and nothing where there is none', () => {
  const refs = { externalRefs: [purlRef('pkg:deb/debian/libc6@2.31-13?distro=debian-11')] };
  const built = spdxPackage('libc6', { ...refs, sourceInfo: 'built package from: glibc 2.31-13' });
  expect(onlyDependency(spdx({ packages: [built] })).source_package).toBe('glibc@2.31-13');
  expect(onlyDependency(spdx({ packages: [spdxPackage('a')] }))).not.toHaveProperty(
    'source_package',
  );
});
