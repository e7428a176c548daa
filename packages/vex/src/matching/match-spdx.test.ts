import { describeSbom } from '../describe-sbom';
import { identifierOf } from '../identifiers';
import { inWords } from '../testing/example-sbom';
import { matchStatements } from './match-statements';

/** `a` uses `lib` and `own`, `b` uses `lib`; `a2` is `a` once more. */
const packages = { a: 'a', a2: 'a', b: 'b', lib: 'lib', own: 'own' };
const links: [from: string, to: string][] = [
  ['a', 'lib'],
  ['a', 'own'],
  ['b', 'lib'],
];

function spdx2(described: string[]): object {
  return {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'test',
    dataLicense: 'CC0-1.0',
    documentNamespace: 'https://example.org/test',
    creationInfo: { created: '2024-01-01T00:00:00Z', creators: ['Tool: test'] },
    documentDescribes: described.map((id) => `SPDXRef-${id}`),
    packages: Object.entries(packages).map(([id, name]) => ({
      SPDXID: `SPDXRef-${id}`,
      name,
      versionInfo: '1',
      downloadLocation: 'NOASSERTION',
      externalRefs: [
        {
          referenceCategory: 'PACKAGE-MANAGER',
          referenceType: 'purl',
          referenceLocator: `pkg:npm/${name}@1`,
        },
      ],
    })),
    relationships: links.map(([from, to]) => ({
      spdxElementId: `SPDXRef-${from}`,
      relationshipType: 'DEPENDS_ON',
      relatedSpdxElement: `SPDXRef-${to}`,
    })),
  };
}

function spdx3(described: string[]): object {
  return {
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      { type: 'CreationInfo', '@id': '_:info', specVersion: '3.0.1' },
      {
        type: 'SpdxDocument',
        spdxId: 'urn:document',
        creationInfo: '_:info',
        rootElement: described.map((id) => `urn:${id}`),
      },
      ...Object.entries(packages).map(([id, name]) => ({
        type: 'software_Package',
        spdxId: `urn:${id}`,
        creationInfo: '_:info',
        name,
        software_packageVersion: '1',
        software_packageUrl: `pkg:npm/${name}@1`,
      })),
      ...links.map(([from, to], index) => ({
        type: 'Relationship',
        spdxId: `urn:link-${index}`,
        creationInfo: '_:info',
        from: `urn:${from}`,
        relationshipType: 'dependsOn',
        to: [`urn:${to}`],
      })),
    ],
  };
}

describe.each([
  ['SPDX 2.3', spdx2],
  ['SPDX 3', spdx3],
])('of %s', (_format, write) => {
  const covers = (described: string[], product: string, ...parts: string[]): string => {
    const subcomponents = parts.map((part) => [identifierOf(part)]);
    const products = [{ identifiers: [identifierOf(product)], subcomponents }];
    const bytes = Buffer.from(JSON.stringify(write(described)));
    return inWords(matchStatements(bytes, [products])[0]);
  };

  test.each<[described: string[], named: [product: string, ...parts: string[]], string]>([
    [['a'], ['pkg:npm/a'], 'everything'],
    [['a', 'a2'], ['pkg:npm/a'], 'everything'],
    [['a', 'b'], ['pkg:npm/a'], 'a@1 own@1'],
    [['a', 'b'], ['pkg:npm/a', 'pkg:npm/own'], 'own@1'],
    [['a', 'b'], ['pkg:npm/a', 'pkg:npm/lib'], 'used_outside_product'],
    [['a', 'b'], ['pkg:npm/b', 'pkg:npm/own'], 'subcomponent_not_in_product'],
    [[], ['pkg:npm/a'], 'a@1 own@1'],
  ])('what describes %j: a statement about %j covers %s', (described, named, expected) => {
    expect(covers(described, ...named)).toBe(expected);
  });

  test.each([
    [['a', 'a2'], 'pkg:npm/a@1'],
    [['a', 'b'], null],
  ])('what describes %j is identified by %s', (described, purl) => {
    expect(describeSbom(Buffer.from(JSON.stringify(write(described)))).purl).toBe(purl);
  });
});
