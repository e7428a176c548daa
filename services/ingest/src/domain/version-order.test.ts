import fc from 'fast-check';
import { inVersionOrder } from './version-order';

describe('versions of one package', () => {
  test.each<[string | null, string[]]>([
    ['npm', ['1.2.0', '1.10.0-rc.1', '1.10.0', 'v2.0.0']],
    ['pypi', ['1.0.dev1', '1.0a1', '1.0', '1.0.post1', '1!0.5']],
    ['maven', ['1.0-alpha-1', '1.0-SNAPSHOT', '1.0', '1.0-sp']],
    ['deb', ['1.0~rc1-1', '1.0-1', '1.0-1+deb12u1', '1:0.9-1']],
    ['rpm', ['1.0~rc1-1.el8', '1.0-2.el8', '1.0-10.el8']],
    ['apk', ['1.0_rc1-r0', '1.0-r2', '1.0-r10']],
    ['golang', ['v0.0.0-20200101000000-abcdefabcdef', 'v0.1.0', 'v1.0.0']],
  ])('%s: stand in the order of their ecosystem', (purlType, expected) => {
    expect(inVersionOrder([...expected].reverse(), purlType)).toEqual(expected);
  });

  test('that the ecosystem cannot read come after those that it can', () => {
    const expected = ['1.2.0', '10.0.0', '', 'latest', 'workspace:*'];
    expect(inVersionOrder([...expected].reverse(), 'npm')).toEqual(expected);
  });

  test.each(['generic', null, 'constructor'])(
    'go by numbers and letters where the ecosystem is unknown (%s)',
    (purlType) => {
      const expected = [
        '',
        '1.9',
        '1.09.1',
        '1.10',
        '1.10a',
        '1.10b',
        '2',
        '10',
        '010.0',
        'a',
        'b',
      ];
      expect(inVersionOrder([...expected].reverse(), purlType)).toEqual(expected);
    },
  );

  test('that are equal in order go by numbers and letters', () => {
    expect(inVersionOrder(['1.0.0', '1', '1.0'], 'pypi')).toEqual(['1', '1.0', '1.0.0']);
    expect(inVersionOrder(['1.0.0+10', '1.0.0+9'], 'npm')).toEqual(['1.0.0+9', '1.0.0+10']);
  });

  test('are all there, in one order, however they are given', () => {
    const version = fc.oneof(
      fc.stringMatching(/^[0-2]{1,2}(\.[0-2]){0,2}(-(a|rc)\.?[01]?)?$/),
      fc.string({ maxLength: 4 }),
      fc.constantFrom('1', '01', '1.0', 'v1.0', '9007199254740993', '9007199254740992', 'ß', ''),
    );
    const purlType = fc.constantFrom('npm', 'pypi', 'maven', 'deb', 'gem', 'nope', null);
    fc.assert(
      fc.property(
        fc
          .uniqueArray(version, { maxLength: 12 })
          .chain((given) =>
            fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
          ),
        purlType,
        ([given, shuffled], type) => {
          const ordered = inVersionOrder(given, type);
          expect([...ordered].sort()).toEqual([...given].sort());
          expect(inVersionOrder(shuffled, type)).toEqual(ordered);
        },
      ),
    );
  });
});
