import { createHash } from 'node:crypto';
import * as fc from 'fast-check';

import { canonicalDependencies, digestOf } from './dependency-set';
import type { Dependency } from './normalised-sbom';
import { accepted, component, cycloneDx } from './testing/documents';

const few = fc.constantFrom('a', 'b', 'B', 'é', '\ud800', '😀', '\uffff');
const dependency: fc.Arbitrary<Dependency> = fc.record(
  {
    name: few,
    version: few,
    purl: fc.option(few),
    type: fc.option(few),
    license: fc.option(few),
    is_direct: fc.boolean(),
    source_package: few,
  },
  { requiredKeys: ['name', 'version', 'purl', 'type', 'license', 'is_direct'] },
);
const listAndShuffled = fc
  .array(dependency, { maxLength: 40 })
  .chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
    ),
  );

describe('the dependencies of a document', () => {
  test('come out the same, with the same digest, in whatever order they go in', () => {
    fc.assert(
      fc.property(listAndShuffled, ([list, shuffled]) => {
        const canonical = canonicalDependencies(list);
        expect(canonicalDependencies(shuffled)).toEqual(canonical);
        expect(digestOf(canonicalDependencies(shuffled))).toBe(digestOf(canonical));
      }),
    );
  });

  test('are unique by purl, name and version and sorted in code units', () => {
    fc.assert(
      fc.property(fc.array(dependency, { maxLength: 60 }), (list) => {
        const keys = canonicalDependencies(list).map(({ name, version, purl }) => [
          name,
          version,
          purl ?? '',
        ]);
        for (let at = 1; at < keys.length; at += 1)
          expect(less(keys[at - 1]!, keys[at]!)).toBe(true);
        const expected = list.map(({ name, version, purl }) =>
          JSON.stringify(
            [name, version, purl].map((text) => text?.replace('\ud800', '\ufffd') ?? ''),
          ),
        );
        expect(keys).toHaveLength(new Set(expected).size);
      }),
    );
  });

  test('equal ones become one, which is direct when one of them is', () => {
    const base = {
      name: 'a',
      version: '1',
      purl: null,
      type: 'library',
      license: null,
      is_direct: false,
    };
    expect(
      canonicalDependencies([
        base,
        { ...base, license: 'MIT', is_direct: true },
        { ...base, license: 'ISC OR Zlib' },
        { ...base, license: 'MIT' },
      ]),
    ).toEqual([{ ...base, license: '(ISC OR Zlib) AND MIT', is_direct: true }]);
  });

  test('hold no half surrogate pairs, which UTF-8 cannot hold', () => {
    const half = '\ud83d';
    const entry = { name: half, version: half, purl: half, type: half, license: half };
    const whole = '\ufffd';
    expect(canonicalDependencies([{ ...entry, is_direct: true }])).toEqual([
      { name: whole, version: whole, purl: whole, type: whole, license: whole, is_direct: true },
    ]);
  });

  test('in another order in the document have the same digest', () => {
    const components = ['c', 'a', 'b'].map((name) =>
      component(name, { purl: `pkg:npm/${name}@1` }),
    );
    const digest = accepted(cycloneDx({ components })).digest;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(accepted(cycloneDx({ components: components.toReversed() })).digest).toBe(digest);
  });

  test.each<keyof Dependency>(['name', 'version', 'purl', 'type', 'license', 'is_direct'])(
    'have another digest when %s is another',
    (field) => {
      const base: Dependency = {
        name: 'a',
        version: '1',
        purl: 'p',
        type: 't',
        license: 'l',
        is_direct: false,
      };
      const changed = { ...base, [field]: field === 'is_direct' ? true : 'other' };
      expect(digestOf([changed])).not.toBe(digestOf([base]));
    },
  );

  test('have the digest of nothing when there are none', () => {
    expect(digestOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});

function less(one: string[], other: string[]): boolean {
  const at = one.findIndex((text, index) => text !== other[index]);
  return at >= 0 && one[at]! < other[at]!;
}

test('a source package is a part of the digest; without one it is that of release 1.0.1', () => {
  const plain = { name: 'a', version: '1', purl: null, type: null, license: null, is_direct: true };
  const sourced = { ...plain, source_package: 'b@2' };
  expect(digestOf([plain])).toBe(
    createHash('sha256').update('["a","1",null,null,null,true]\n').digest('hex'),
  );
  expect(digestOf([sourced])).not.toBe(digestOf([plain]));
  expect(canonicalDependencies([plain, sourced])).toEqual([sourced]);
});
