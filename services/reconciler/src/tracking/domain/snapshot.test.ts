import fc from 'fast-check';
import { toSnapshot } from './snapshot';
import { observation } from './testing';
import type { Observation } from './types';

describe('R6: what is shown of several affected versions', () => {
  test('is the lowest that can be read', () => {
    const texts = ['a@nightly GHSA-1', 'a@10.0.0 GHSA-1', 'a@9.0.0 GHSA-1', 'a@9-x? GHSA-1'];
    expect(toSnapshot(texts.map(observation))).toMatchObject({
      package_version: '9.0.0',
      package_versions: ['9.0.0', '10.0.0', '9-x?', 'nightly'],
    });
  });

  test.each([
    ['a higher severity', { severity: 'critical', cvss_score: 9 }, 'of 2.0.0'],
    ['a higher score', { severity: 'high', cvss_score: 8.9 }, 'of 2.0.0'],
    ['the same severity and score', {}, 'of 1.0.0'],
    ['a lower severity', { severity: 'low', cvss_score: 9 }, 'of 1.0.0'],
    ['no severity', { severity: 'unknown', cvss_score: null }, 'of 1.0.0'],
  ] as const)(
    'is described as the worst: where the higher version has %s',
    (_text, of, details) => {
      const [one, two] = ['1.0.0', '2.0.0'].map((version) => ({
        ...observation(`a@${version} GHSA-1`),
        details: `of ${version}`,
      })) as [Observation, Observation];
      const shown = toSnapshot([{ ...two, ...of }, one]);
      const { severity, cvss_score } = details === 'of 2.0.0' ? { ...two, ...of } : one;
      expect(shown).toMatchObject({ package_version: '1.0.0', details, severity, cvss_score });
    },
  );

  test.each([
    [['1.1.0'], ['2.1.0'], ['1.1.0']],
    [[], ['2.1.0'], ['2.1.0']],
    [['1.1.0'], [], []],
  ])('has fixes %j and %j, the worse second: %j', (first, second, shown) => {
    const lowest = { ...observation('a@1.0.0 GHSA-1'), fixed_versions: first };
    const worst = { ...observation('a@2.0.0 GHSA-1'), fixed_versions: second };
    const found = [lowest, { ...worst, severity: 'critical' as const, details: 'of 2.0.0' }];
    expect(toSnapshot(found)).toMatchObject({
      package_version: '1.0.0',
      details: 'of 2.0.0',
      fixed_versions: shown,
    });
  });

  test('does not depend on the order in which they are found', () => {
    const versions = ['10.0.0', '9.0.0', '9-x?', 'nightly', '9.0', '1.0.0-rc1', '10'];
    const all = versions.flatMap((version) => [
      observation(`a@${version} GHSA-1`),
      observation(`a@${version} GHSA-1 CVE-1`),
    ]);
    const expected = toSnapshot(all);
    fc.assert(
      fc.property(
        fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
        (found) => expect(toSnapshot(found)).toEqual(expected),
      ),
    );
  });
});
