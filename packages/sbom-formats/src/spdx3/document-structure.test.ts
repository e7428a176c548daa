import { readDocumentStructure } from '../document-structure';
import { spdx3, spdx3Package, spdx3Relationship, toBytes } from '../testing/documents';

test('the structure of an SPDX 3 document has dependencies and what contains what', () => {
  const elements = [
    ...['root', 'a', 'b', 'c'].map((name) => spdx3Package(name)),
    spdx3Relationship('root dependsOn a'),
    spdx3Relationship('a contains b c'),
    spdx3Relationship('c hasStaticLink b'),
  ];
  const structure = readDocumentStructure(toBytes(spdx3(elements)));
  expect([...structure.packages.keys()]).toEqual(['urn:root', 'urn:a', 'urn:b', 'urn:c']);
  expect([...structure.roots]).toEqual(['urn:root']);
  expect(structure.children).toEqual(
    new Map([
      ['urn:root', new Set(['urn:a'])],
      ['urn:a', new Set(['urn:b', 'urn:c'])],
      ['urn:c', new Set(['urn:b'])],
    ]),
  );
});

test.each([
  [['root'], ['urn:root']],
  [
    ['root', 'again'],
    ['urn:root', 'urn:again'],
  ],
  [['root', 'other'], []],
  [[], []],
])('of a document about %j the roots are %j', (about, expected) => {
  const { '@graph': graph, ...document } = spdx3([
    spdx3Package('root'),
    spdx3Package('again', { name: 'root' }),
    spdx3Package('other'),
  ]);
  const elements = (graph as object[]).map((one) =>
    'rootElement' in one ? { ...one, rootElement: about.map((name) => `urn:${name}`) } : one,
  );
  const { roots } = readDocumentStructure(toBytes({ ...document, '@graph': elements }));
  expect([...roots]).toEqual(expected);
});
