import fc from 'fast-check';
import { findDependencyPaths } from './dependency-paths';
import { spdx3, spdx3Package, spdx3Relationship } from './testing/documents';
import { graphDocument, purlOf } from './testing/graph-document';

const limits = { paths: 10, length: 100 };

function spdx(relations: [string, string, string][]): Buffer {
  const ids = [...new Set(relations.flatMap(([from, , to]) => [from, to]))];
  return Buffer.from(
    JSON.stringify({
      SPDXID: 'SPDXRef-DOCUMENT',
      spdxVersion: 'SPDX-2.3',
      documentDescribes: ['root'],
      packages: ids.map((name) => ({
        SPDXID: name,
        name,
        versionInfo: '1.0.0',
        externalRefs: [{ referenceType: 'purl', referenceLocator: purlOf(name) }],
      })),
      relationships: relations.map(([from, relationshipType, to]) => ({
        spdxElementId: from,
        relationshipType,
        relatedSpdxElement: to,
      })),
    }),
  );
}

const namesIn = (document: Buffer, name: string, of = limits) => {
  const [found] = findDependencyPaths(document, [purlOf(name)], of) ?? [];
  return (
    found && { ...found, paths: found.paths.map((path) => path.map((one) => one.name).join('>')) }
  );
};

test('one shortest path for each direct dependency, shortest first', () => {
  const document = graphDocument([
    'root>a',
    'root>b',
    'root>c',
    'a>x',
    'x>t',
    'b>t',
    'b>y',
    'y>t',
    'c>z',
  ]);
  expect(namesIn(document, 't')).toEqual({ found: true, paths: ['b>t', 'a>x>t'], more: false });
  expect(namesIn(document, 'b')).toEqual({ found: true, paths: ['b'], more: false });
  expect(namesIn(document, 'unheard-of')).toEqual({ found: false, paths: [], more: false });
});

test('a direct dependency that is needed by another one, too', () => {
  const document = graphDocument(['root>a', 'root>t', 'a>t']);
  expect(namesIn(document, 't')?.paths).toEqual(['t', 'a>t']);
});

test('cycles end, also through the root', () => {
  const document = graphDocument(['root>a', 'a>b', 'b>a', 'b>t', 't>b', 't>root', 'root>root']);
  expect(namesIn(document, 't')?.paths).toEqual(['a>b>t']);
});

test('a component that nothing leads to has no path, and a graph without the root says nothing', () => {
  expect(namesIn(graphDocument(['root>a', 'b>t']), 't')).toEqual({
    found: true,
    paths: [],
    more: false,
  });
  expect(findDependencyPaths(graphDocument(['b>t']), [purlOf('t')], limits)).toBeNull();
});

test('number and length are bounded', () => {
  const many = Array.from({ length: 20 }, (_one, n) => [`root>d${n}`, `d${n}>t`]).flat();
  const found = namesIn(graphDocument(many), 't');
  expect([found?.paths.length, found?.more]).toEqual([10, true]);
  const long = ['root>n0', ...Array.from({ length: 150 }, (_one, n) => `n${n}>n${n + 1}`)];
  expect(namesIn(graphDocument(long), 'n150')).toEqual({ found: true, paths: [], more: true });
});

test('100,000 components in a chain are walked without recursion', () => {
  const long = ['root>n0', ...Array.from({ length: 100_000 }, (_one, n) => `n${n}>n${n + 1}`)];
  const documents = { type: 'library', version: '1.0.0' };
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { type: 'application', name: 'root', 'bom-ref': 'root' } },
    components: Array.from({ length: 100_001 }, (_one, n) => {
      return { ...documents, name: `n${n}`, purl: purlOf(`n${n}`), 'bom-ref': `n${n}` };
    }),
    dependencies: long.map((edge) => {
      const [ref = '', to = ''] = edge.split('>');
      return { ref, dependsOn: [to] };
    }),
  };
  const bytes = Buffer.from(JSON.stringify(document));
  expect(findDependencyPaths(bytes, [purlOf('n100000')], limits)).toMatchObject([
    { found: true, more: true },
  ]);
});

test('SPDX: dependencies in both directions; what the root contains where it depends on nothing', () => {
  const depends = spdx([
    ['root', 'DEPENDS_ON', 'a'],
    ['t', 'DEPENDENCY_OF', 'a'],
    ['root', 'CONTAINS', 't'],
  ]);
  expect(namesIn(depends, 't')?.paths).toEqual(['a>t']);
  const contains = spdx([
    ['root', 'CONTAINS', 'a'],
    ['a', 'DEPENDS_ON', 't'],
  ]);
  expect(namesIn(contains, 't')?.paths).toEqual(['a>t']);
});

test('SPDX 3: dependencies of every word; what the root contains where it depends on nothing', () => {
  const packages = ['root', 'a', 't'].map((name) =>
    spdx3Package(name, name === 't' ? { software_packageUrl: purlOf('t') } : {}),
  );
  const paths = (...texts: string[]) => {
    const relationships = texts.map((text) => spdx3Relationship(text));
    return namesIn(Buffer.from(JSON.stringify(spdx3([...packages, ...relationships]))), 't')?.paths;
  };
  expect(paths('root dependsOn a', 'a hasDynamicLink t', 't dependsOn a')).toEqual(['a>t']);
  expect(paths('root contains a', 'a dependsOn t')).toEqual(['a>t']);
  expect(paths('a dependsOn t')).toBeUndefined();
});

test('whatever the graph, each path begins at a direct dependency and follows its edges', () => {
  const name = fc.constantFrom('root', 'a', 'b', 'c', 'd', 't');
  const edges = fc.uniqueArray(
    fc.tuple(name, name).map(([from, to]) => `${from}>${to}`),
    {
      minLength: 1,
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(edges, (given) => {
      const found = namesIn(graphDocument(given), 't');
      for (const path of found?.paths ?? []) {
        const steps = ['root', ...path.split('>')];
        expect(steps.at(-1)).toBe('t');
        for (let at = 1; at < steps.length; at++)
          expect(given).toContain(`${steps[at - 1]}>${steps[at]}`);
      }
      const isReached = new Set(['root']);
      for (let round = 0; round < 6; round++)
        for (const edge of given) {
          const [from = '', to = ''] = edge.split('>');
          if (isReached.has(from)) isReached.add(to);
        }
      expect((found?.paths.length ?? 0) > 0).toBe(
        isReached.has('t') && given.some((one) => one.endsWith('>t')),
      );
    }),
  );
});
