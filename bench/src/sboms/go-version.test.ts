import { comparerOf } from '@bomtrail/versioning';
import fc from 'fast-check';
import { goVersionAbove, goVersionFarAbove } from './go-version';

const bases = [
  'v1.4.1',
  'v0.0.0-20210405180319-a5a99cb37ef4',
  'v0.3.5-0.20201125200606-c27b9fd57aec',
  'v2.0.0-20191231235959-f79a8a8ca69d',
  'v1.0.0-rc.1',
  'v4.20.0+incompatible',
];

describe('a Go version above another', () => {
  test.each([
    ['v1.4.1', /^v1\.4\.2-0\.20200101000000-[0-9a-f]{12}$/],
    ['v4.20.0+incompatible', /^v4\.20\.1-0\.20200101000000-[0-9a-f]{12}\+incompatible$/],
    ['v0.3.5-0.20201125200606-c27b9fd57aec', /^v0\.3\.5-0\.20201125200607-[0-9a-f]{12}$/],
    ['v2.0.0-20191231235959-f79a8a8ca69d', /^v2\.0\.0-20200101000000-[0-9a-f]{12}$/],
    ['v1.0.0-rc.1', /^v1\.0\.0-rc\.1\.0\.20200101000000-[0-9a-f]{12}$/],
  ])('%s is a commit after it', (base, form) => {
    expect(goVersionAbove(base, 'seed')).toMatch(form);
  });

  test('sorts above its base and below the next release', () => {
    const compare = comparerOf('Go');
    fc.assert(
      fc.property(fc.constantFrom(...bases), fc.string(), (base, seed) => {
        const above = goVersionAbove(base, seed) ?? '';
        const [major, minor, patch] = base.slice(1).split(/[.+-]/).map(Number);
        const next = `v${major}.${minor}.${(patch ?? 0) + 1}`;
        expect(compare?.(above, base)).toBe(1);
        expect(compare?.(above, next)).toBe(-1);
      }),
    );
  });

  test('differs for every seed and is the same for the same one', () => {
    for (const base of bases) {
      expect(goVersionAbove(base, 'a')).not.toBe(goVersionAbove(base, 'b'));
      expect(goVersionAbove(base, 'a')).toBe(goVersionAbove(base, 'a'));
    }
  });

  test('of something that is no Go version is undefined', () => {
    expect(goVersionAbove('1.2.3', 'seed')).toBeUndefined();
    expect(goVersionAbove('(devel)', 'seed')).toBeUndefined();
  });
});

describe('a Go version far above another', () => {
  test('sorts above all releases of its major version that exist, and below the next one', () => {
    const compare = comparerOf('Go');
    for (const base of bases) {
      const farAbove = goVersionFarAbove(base, 'seed') ?? '';
      const major = Number(/^v(\d+)/.exec(base)?.[1]);
      expect(compare?.(farAbove, `v${major}.900.0`)).toBe(1);
      expect(compare?.(farAbove, `v${major + 1}.0.0`)).toBe(-1);
      expect(farAbove.endsWith('+incompatible')).toBe(base.endsWith('+incompatible'));
    }
  });

  test('of something that is no Go version is undefined', () => {
    expect(goVersionFarAbove('(devel)', 'seed')).toBeUndefined();
  });
});
