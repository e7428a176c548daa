import { indexLicences, licenceIdKey } from './licence-index';

const component = (name: string, license: string | null) => ({
  name,
  version: '1',
  purl: null,
  license,
});
const counts = (...licenses: (string | null)[]) =>
  Object.fromEntries(
    indexLicences(licenses.map((license, n) => component(`c${n}`, license))).map((one) => [
      one.key,
      one.count,
    ]),
  );

describe('Components are found by licence (LI5)', () => {
  test.each([
    ['one id', 'AGPL-3.0-only', { 'id:AGPL-3.0-only': 1, 'group:network_copyleft': 1 }],
    ['a deprecated id', 'AGPL-3.0', { 'id:AGPL-3.0-only': 1, 'group:network_copyleft': 1 }],
    [
      'a choice: every id, the group of the whole',
      '(MIT OR AGPL-3.0-only)',
      { 'id:MIT': 1, 'id:AGPL-3.0-only': 1, 'group:permissive': 1 },
    ],
    [
      'an exception',
      'GPL-2.0-only WITH Classpath-exception-2.0',
      { 'id:GPL-2.0-only': 1, 'group:weak_copyleft': 1 },
    ],
    ['an id twice', 'MIT AND (MIT OR ISC)', { 'id:MIT': 1, 'id:ISC': 1, 'group:permissive': 1 }],
    ['a text', 'The Apache Licence', { 'group:unknown': 1 }],
    [
      'an id beside a text',
      'The Apache Licence AND AGPL-3.0-only',
      { 'id:AGPL-3.0-only': 1, 'group:unknown': 1 },
    ],
    [
      'an id beside a text in parentheses',
      'MIT AND (The Apache Licence AND AGPL-3.0-only)',
      { 'id:MIT': 1, 'id:AGPL-3.0-only': 1, 'group:unknown': 1 },
    ],
    ['none', null, { 'group:unknown': 1 }],
  ])('%s', (_title, license, expected) => {
    expect(counts(license)).toEqual(expected);
  });

  test('an entry counts all components and lists the first five with cut texts', () => {
    const all = Array.from({ length: 7 }, (_, n) => component(`${n}${'x'.repeat(300)}`, 'MIT'));
    const [group] = indexLicences(all);
    expect(group).toMatchObject({ key: 'group:permissive', count: 7 });
    expect(group?.first.map(({ name }) => name.length)).toEqual([200, 200, 200, 200, 200]);
  });

  test('entries are bounded, whatever ids a document invents; ids of the list always stay', () => {
    const own = Array.from({ length: 1500 }, (_, n) => `LicenseRef-${n}`);
    const found = counts(...own, 'LicenseRef-0', 'AGPL-3.0-only');
    expect(Object.keys(found)).toHaveLength(1000 + 4);
    expect(found['left-out']).toBe(500);
    expect(found).toMatchObject({ 'id:LicenseRef-0': 2, 'id:AGPL-3.0-only': 1 });
  });
});

test.each([
  ['agpl-3.0', 'id:AGPL-3.0-only', []],
  ['LicenseRef-own', 'id:LicenseRef-own', []],
  ['AGPL', null, expect.arrayContaining(['AGPL-3.0-only'])],
  ['MIT OR ISC', null, []],
  [' ', null, []],
])('%p is searched as %p', (text, key, similar) => {
  expect(licenceIdKey(text)).toEqual({ key, similar });
});
