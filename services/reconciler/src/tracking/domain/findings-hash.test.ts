import { differingPackages, findingsHashOf } from './findings-hash';
import { observation } from './testing';
import type { Observation } from './types';

function hashOf(...texts: string[]): string {
  return findingsHashOf(texts.map(observation));
}

const lodash = 'lodash@1.0.0 GHSA-1';
const axios = 'axios@0.1.0 GHSA-2';

describe('the hash of findings', () => {
  test('does not depend on their order', () => {
    expect(hashOf(lodash, axios)).toBe(hashOf(axios, lodash));
  });

  test('tells which packages differ', () => {
    const packages = differingPackages(hashOf(lodash, axios), hashOf('lodash@1.1.0 GHSA-1', axios));
    expect(packages).toEqual(['npm|lodash']);
    expect(differingPackages(hashOf(), hashOf(lodash))).toEqual(['npm|lodash']);
    expect(differingPackages(hashOf(lodash), hashOf())).toEqual(['npm|lodash']);
    expect(differingPackages(hashOf(lodash), hashOf(lodash))).toEqual([]);
  });

  test.each<Partial<Observation>>([
    { package_version: '1.1.0' },
    { package_versions: ['1.0.0', '1.1.0'] },
    { purl: 'pkg:npm/other@1.0.0' },
    { is_direct: true },
    { is_root: true },
    { fixed_versions: ['2.0.0'] },
    { details: 'others' },
  ])('covers %j', (other) => {
    const one = observation(lodash);
    const packages = differingPackages(
      findingsHashOf([one]),
      findingsHashOf([{ ...one, ...other }]),
    );
    expect(packages).toEqual(['npm|lodash']);
  });

  test('of very many packages is short, and tells whether any differs', () => {
    const many = Array.from({ length: 1_000 }, (_one, n) => `p${n}@1.0.0 GHSA-${n}`);
    expect(hashOf(...many).length).toBeLessThan(100);
    expect(differingPackages(hashOf(...many), hashOf(...many))).toEqual([]);
    expect(differingPackages(hashOf(...many), hashOf(...many.slice(1)))).toBeUndefined();
    expect(differingPackages(hashOf(...many), hashOf(lodash))).toBeUndefined();
  });

  test('is one of all packages if the key of one has a line break', () => {
    const odd = { ...observation(lodash), package_key: 'npm|a\nb' };
    expect(differingPackages(findingsHashOf([odd]), hashOf())).toBeUndefined();
  });
});
