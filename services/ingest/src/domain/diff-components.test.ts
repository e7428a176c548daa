import fc from 'fast-check';
import { diffComponents, type Component, type ComponentsDiff } from './diff-components';

const npm = (name: string, version: string, qualifiers = ''): Component => ({
  name,
  version,
  type: 'library',
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}${qualifiers}`,
});
const bare = (name: string, version: string, type: string | null = 'library'): Component => ({
  name,
  version,
  type,
  purl: null,
});
const nothing: ComponentsDiff = { added: [], removed: [], changed: [] };

describe('the diff of two component sets', () => {
  test('lists added, removed and changed packages, each sorted by name', () => {
    const from = [
      npm('qs', '6.13.0'),
      npm('b-gone', '1.0.0'),
      npm('a-gone', '1.0.0'),
      npm('same', '1'),
    ];
    const to = [
      npm('same', '1'),
      npm('qs', '6.14.0'),
      npm('express', '5.1.0'),
      npm('@a/b', '1.0.0'),
    ];
    expect(diffComponents(from, to)).toEqual({
      added: [
        { name: '@a/b', version: '1.0.0' },
        { name: 'express', version: '5.1.0' },
      ],
      removed: [
        { name: 'a-gone', version: '1.0.0' },
        { name: 'b-gone', version: '1.0.0' },
      ],
      changed: [{ name: 'qs', from_version: '6.13.0', to_version: '6.14.0' }],
    });
  });

  test('sorts names by code units: capitals first', () => {
    const { added } = diffComponents([], [bare('b', '1'), bare('a', '1'), bare('B', '1')]);
    expect(added.map(({ name }) => name)).toEqual(['B', 'a', 'b']);
  });
});

describe('R1: a package', () => {
  test('is the same whatever qualifiers and subpath its purl has', () => {
    const from = [npm('a', '1.0.0', '?arch=amd64#lib')];
    expect(diffComponents(from, [npm('a', '1.0.0', '?arch=arm64')])).toEqual(nothing);
    expect(diffComponents(from, [npm('a', '1.0.1')])).toEqual({
      ...nothing,
      changed: [{ name: 'a', from_version: '1.0.0', to_version: '1.0.1' }],
    });
  });

  test('is another one in another ecosystem or namespace, under the same name', () => {
    const of = (purl: string): Component => ({ name: 'zlib', version: '1', type: 'library', purl });
    expect(diffComponents([of('pkg:deb/debian/zlib@1')], [of('pkg:deb/ubuntu/zlib@1')])).toEqual({
      added: [{ name: 'zlib', version: '1' }],
      removed: [{ name: 'zlib', version: '1' }],
      changed: [],
    });
  });

  test('is one however its ecosystem lets it be spelt, and is shown with the first spelling', () => {
    const pypi = (name: string, version: string): Component => ({
      name,
      version,
      type: 'library',
      purl: `pkg:pypi/${name}@${version}`,
    });
    expect(diffComponents([pypi('foo_bar', '1.0')], [pypi('Foo.Bar', '2.0')]).changed).toEqual([
      { name: 'Foo.Bar', from_version: '1.0', to_version: '2.0' },
    ]);
    expect(diffComponents([pypi('foo_bar', '1.0')], [pypi('Foo.Bar', '1.0')])).toEqual(nothing);
  });

  test.each([null, 'no purl at all'])('is its name and type where its purl is %j', (purl) => {
    const of = (version: string, type: string | null): Component => ({
      ...bare('app', version, type),
      purl,
    });
    const from = [of('1', 'library'), of('1', null)];
    const to = [of('2', 'library'), of('1', 'application')];
    expect(diffComponents(from, to)).toEqual({
      added: [{ name: 'app', version: '1' }],
      removed: [{ name: 'app', version: '1' }],
      changed: [{ name: 'app', from_version: '1', to_version: '2' }],
    });
  });
});

describe('R2 and R3: the versions of one package', () => {
  const versions = (...all: string[]): Component[] => all.map((version) => npm('a', version));

  test('cancel out where they are equal; the rest pairs up from the lowest', () => {
    const from = versions('1.10.0', '1.2.0', '3.0.0');
    const to = versions('3.0.0', '2.0.0', '1.11.0', '10.0.0');
    expect(diffComponents(from, to)).toEqual({
      added: [{ name: 'a', version: '10.0.0' }],
      removed: [],
      changed: [
        { name: 'a', from_version: '1.2.0', to_version: '1.11.0' },
        { name: 'a', from_version: '1.10.0', to_version: '2.0.0' },
      ],
    });
  });

  test('count once a side', () => {
    const twice = [npm('a', '1.0.0', '?arch=amd64'), npm('a', '1.0.0', '?arch=arm64')];
    expect(diffComponents(twice, versions('1.0.0'))).toEqual(nothing);
    expect(diffComponents(twice, versions('1.0.0', '2.0.0'))).toEqual({
      ...nothing,
      added: [{ name: 'a', version: '2.0.0' }],
    });
  });

  test('are different where their texts are, also when they are equal in order', () => {
    expect(diffComponents(versions('1.0.0+1'), versions('1.0.0+2')).changed).toEqual([
      { name: 'a', from_version: '1.0.0+1', to_version: '1.0.0+2' },
    ]);
  });

  test('may be missing', () => {
    expect(diffComponents([bare('a', '')], [bare('a', ''), bare('a', '1')])).toEqual({
      ...nothing,
      added: [{ name: 'a', version: '1' }],
    });
  });
});

const version = fc.constantFrom('1', '2', '1.0', '1.0.0', '10', '2-rc', '', 'latest');
const component: fc.Arbitrary<Component> = fc
  .record({
    name: fc.constantFrom('a', 'A', 'b_b', 'b-b', 'constructor'),
    version,
    type: fc.constantFrom('library', 'application', null),
    purl: fc.constantFrom('npm', 'pypi', 'nope', null, 'broken'),
    qualifiers: fc.constantFrom('', '?arch=x'),
  })
  .map(({ name, version: text, type, purl, qualifiers }) => ({
    name,
    version: text,
    type,
    purl: purl === null || purl === 'broken' ? purl : `pkg:${purl}/${name}@${text}${qualifiers}`,
  }));
const side = fc.array(component, { maxLength: 20 });

describe('whatever the two sides are', () => {
  test('a set against itself has no difference, in whatever order', () => {
    const shuffled = side.chain((set) =>
      fc.tuple(fc.constant(set), fc.shuffledSubarray(set, { minLength: set.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(diffComponents(one, other)).toEqual(nothing);
      }),
    );
  });

  test('the order of the components does not matter', () => {
    const shuffled = fc
      .tuple(side, side)
      .chain(([from, to]) =>
        fc.tuple(
          fc.constant({ from, to }),
          fc.shuffledSubarray(from, { minLength: from.length }),
          fc.shuffledSubarray(to, { minLength: to.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([{ from, to }, otherFrom, otherTo]) => {
        expect(diffComponents(otherFrom, otherTo)).toEqual(diffComponents(from, to));
      }),
    );
  });

  test('exchanging the sides mirrors the answer', () => {
    fc.assert(
      fc.property(side, side, (from, to) => {
        const { added, removed, changed } = diffComponents(from, to);
        expect(diffComponents(to, from)).toEqual({
          added: removed,
          removed: added,
          changed: changed.map(({ name, from_version, to_version }) => ({
            name,
            from_version: to_version,
            to_version: from_version,
          })),
        });
      }),
    );
  });

  test('what is removed, added and changed leads from the one set of package versions to the other', () => {
    const spelling = (name: string): string => name.toLowerCase().replace('_', '-');
    const held = (set: readonly Component[]): string[] => {
      const distinct = new Set(
        set.map(({ name, version: text, purl, type }) => {
          const [ecosystem] = /^pkg:\w+/.exec(purl ?? '') ?? [];
          const own = ecosystem === 'pkg:pypi' ? spelling(name) : name;
          return `${ecosystem ?? `type ${type}`} ${own} ${text}`;
        }),
      );
      return [...distinct].map((one) => {
        const [, name = '', text = ''] = /(\S+) (\S*)$/.exec(one) ?? [];
        return `${spelling(name)} ${text}`;
      });
    };
    fc.assert(
      fc.property(side, side, (from, to) => {
        const { added, removed, changed } = diffComponents(from, to);
        const line = (name: string, text: string): string => `${spelling(name)} ${text}`;
        const left = [...held(from)];
        const removedVersions = [
          ...removed.map((one) => line(one.name, one.version)),
          ...changed.map((one) => line(one.name, one.from_version)),
        ];
        for (const one of removedVersions) {
          expect(left).toContain(one);
          left.splice(left.indexOf(one), 1);
        }
        const arrived = [
          ...added.map((one) => line(one.name, one.version)),
          ...changed.map((one) => line(one.name, one.to_version)),
        ];
        expect([...left, ...arrived].sort()).toEqual(held(to).sort());
      }),
    );
  });
});
