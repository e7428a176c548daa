import fc from 'fast-check';
import { toSnapshot } from './snapshot';
import { observation } from './testing';

describe('R6: what is shown of several affected versions', () => {
  test('is the lowest that can be read', () => {
    const texts = ['a@nightly GHSA-1', 'a@10.0.0 GHSA-1', 'a@9.0.0 GHSA-1', 'a@9-x? GHSA-1'];
    expect(toSnapshot(texts.map(observation))).toMatchObject({
      package_version: '9.0.0',
      package_versions: ['9.0.0', '10.0.0', '9-x?', 'nightly'],
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
