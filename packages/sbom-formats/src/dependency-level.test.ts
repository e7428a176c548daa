import fc from 'fast-check';
import { readDependencyLevel, type LevelQuery } from './dependency-level';
import { graphDocument, purlOf } from './testing/graph-document';

const all: LevelQuery = { parent: null, words: [], packages: null, skip: 0, limit: 100 };

const levelOf = (edges: readonly string[], query: Partial<LevelQuery> = {}) => {
  const level = readDependencyLevel(graphDocument(edges), { ...all, ...query });
  return level?.items.map(
    ({ id, children, matches }) => `${id}${matches ? '' : '?'}:${children}/${level.total}`,
  );
};

const edges = ['root>b', 'root>a', 'a>x', 'b>x', 'x>t', 'b>y', 'c>t'];

test('a level is what a component depends on, by name', () => {
  expect(levelOf(edges)).toEqual(['a:1/2', 'b:2/2']);
  expect(levelOf(edges, { parent: 'b' })).toEqual(['x:1/2', 'y:0/2']);
  expect(levelOf(edges, { parent: 't' })).toEqual([]);
});

test('a page of a level has the total of the level', () => {
  expect(levelOf(edges, { parent: 'b', skip: 1, limit: 5 })).toEqual(['y:0/2']);
});

test('a filter leaves what it selects and what leads there', () => {
  expect(levelOf(edges, { words: ['T'] })).toEqual(['a?:1/2', 'b?:1/2']);
  expect(levelOf(edges, { words: ['t'], parent: 'b' })).toEqual(['x?:1/1']);
  expect(levelOf(edges, { words: ['t'], parent: 'x' })).toEqual(['t:0/1']);
  expect(levelOf(edges, { words: ['y'] })).toEqual(['b?:1/1']);
  expect(levelOf(edges, { words: ['none'] })).toEqual([]);
});

test('packages are found by any version, however their purl is written', () => {
  const packages = [{ purl: 'pkg:npm/y@9.9.9?type=x', versions: ['0.9.0', '1.0.0'] }];
  expect(levelOf(edges, { packages })).toEqual(['b?:1/1']);
  expect(levelOf(edges, { packages: [{ purl: purlOf('y'), versions: ['2.0.0'] }] })).toEqual([]);
  expect(levelOf(edges, { packages: [] })).toEqual([]);
});

test('cycles, also through the root and of one with itself, end with the level', () => {
  const cycle = ['root>a', 'a>b', 'b>a', 'b>root', 'a>a', 'root>root'];
  expect(levelOf(cycle)).toEqual(['a:1/1']);
  expect(levelOf(cycle, { parent: 'b', words: ['b'] })).toEqual(['a?:1/1']);
});

test('an unknown component is told from one without dependencies, and a document without a graph from both', () => {
  const level = readDependencyLevel(graphDocument(edges), { ...all, parent: 'nobody' });
  expect(level).toEqual({ parent_known: false, items: [], total: 0 });
  expect(readDependencyLevel(graphDocument(['a>b']), all)).toBeNull();
});

test('all that is reached level by level is what the roots reach, and a filter keeps every way to what it selects', () => {
  const names = ['root', 'a', 'b', 'c', 'd', 'e', 'f'];
  const edge = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names));
  fc.assert(
    fc.property(
      fc.array(edge, { maxLength: 15 }),
      fc.constantFrom('a', 'd', 'f'),
      (pairs, word) => {
        const given = ['root>a', ...pairs.map((pair) => pair.join('>'))];
        const reached = (words: string[]): Set<string> => {
          const document = graphDocument(given);
          const found = new Set<string>();
          const open: (string | null)[] = [null];
          for (const parent of open) {
            const level = readDependencyLevel(document, { ...all, parent, words });
            for (const { id } of level?.items ?? [])
              if (!found.has(id)) {
                found.add(id);
                open.push(id);
              }
          }
          return found;
        };
        const naive = new Set(['root']);
        for (const from of naive)
          for (const one of given)
            if (one.startsWith(`${from}>`)) naive.add(one.slice(from.length + 1));
        naive.delete('root');
        const whole = reached([]);
        expect(whole).toEqual(naive);
        expect(reached([`/${word}@`]).has(word)).toBe(whole.has(word));
      },
    ),
  );
});
