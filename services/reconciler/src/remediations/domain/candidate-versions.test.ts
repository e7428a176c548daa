import fc from 'fast-check';
import { candidatesOf } from './candidate-versions';

const npm = (version: string) => ({ ecosystem: 'npm', version });

test('RM1 the fixed versions above the version in use, in the order of the ecosystem', () => {
  const fixes = [['1.10.0', '1.9.0'], ['0.9.0', '1.9.0'], []];
  expect(candidatesOf(npm('1.2.0'), fixes).versions).toEqual(['1.9.0', '1.10.0']);
});

test('RM1 prereleases are offered for a prerelease only', () => {
  const fixes = [['2.0.0-rc.1', '2.0.0']];
  expect(candidatesOf(npm('1.0.0'), fixes)).toEqual({
    versions: ['2.0.0'],
    prereleases: ['2.0.0-rc.1'],
  });
  expect(candidatesOf(npm('2.0.0-beta.1'), fixes).versions).toEqual(['2.0.0-rc.1', '2.0.0']);
});

test('RM1 versions are compared as in scans: Drupal writes 8.x-1.4 for 1.4.0', () => {
  const inUse = { ecosystem: 'Packagist', version: '8.x-1.4' };
  expect(candidatesOf(inUse, [['1.5.0', '1.3.0']]).versions).toEqual(['1.5.0']);
});

test('what cannot be compared is no candidate', () => {
  expect(candidatesOf(npm('latest'), [['1.0.0']]).versions).toEqual([]);
  expect(candidatesOf({ ecosystem: 'Unknown', version: '1' }, [['2']]).versions).toEqual([]);
});

test('RM1 of many candidates the lowest that is a fix for everything is always among them', () => {
  const minor = fc.integer({ min: 1, max: 200 });
  const lists = fc.array(fc.array(minor, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(lists, fc.boolean(), (given, isMajor) => {
      const version = (n: number) => (isMajor ? `${n + 1}.0.0` : `1.${n}.0`);
      const fixes = given.map((list) => list.map(version));
      const { versions } = candidatesOf(npm('1.0.0'), fixes);
      const enough = Math.max(...given.map((list) => Math.min(...list)));
      expect(versions).toContain(version(enough));
      expect(versions.length).toBeLessThanOrEqual(12);
    }),
  );
});
