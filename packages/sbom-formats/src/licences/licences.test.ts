import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeLicence } from './describe-licence';
import { LICENCE_GROUPS } from './licence-groups';
import { DEPRECATED_IDS, EXCEPTION_IDS, LICENCE_IDS } from './licence-list';
import { licenceText, parseLicence } from './parse-expression';

const normal = (text: string) => describeLicence(text).license_expression;

describe('the SPDX licence list', () => {
  test.each([...LICENCE_IDS])('%s means itself, in any case', (id) => {
    expect([normal(id), normal(id.toUpperCase()), normal(id.toLowerCase())]).toEqual([id, id, id]);
    expect(describeLicence(id).license_id).toBe(id);
  });

  test.each(Object.entries(DEPRECATED_IDS))('%s is deprecated and means %s', (id, meaning) => {
    expect(normal(id)).toBe(meaning);
  });

  test.each([...EXCEPTION_IDS])('%s may stand behind WITH', (exception) => {
    expect(normal(`GPL-2.0-only WITH ${exception.toLowerCase()}`)).toBe(
      `GPL-2.0-only WITH ${exception}`,
    );
  });

  const file = join(__dirname, '../../../../../shared/data/licences/licenses.json');
  (existsSync(file) ? test : test.skip)('is 3.28.0 as published', () => {
    const { licenses, licenseListVersion } = JSON.parse(readFileSync(file, 'utf8')) as {
      licenseListVersion: string;
      licenses: { licenseId: string; isDeprecatedLicenseId: boolean }[];
    };
    const ids = (isDeprecated: boolean) =>
      licenses
        .filter((one) => one.isDeprecatedLicenseId === isDeprecated)
        .map(({ licenseId }) => licenseId)
        .sort();
    expect(licenseListVersion).toBe('3.28.0');
    expect([...LICENCE_IDS].sort()).toEqual(ids(false));
    expect(Object.keys(DEPRECATED_IDS).sort()).toEqual(ids(true));
  });
});

test.each<[string, string | null]>([
  ['MIT', 'MIT'],
  ['  mit\t', 'MIT'],
  ['(MIT)', 'MIT'],
  ['((MIT))', 'MIT'],
  ['MIT OR Apache-2.0', 'MIT OR Apache-2.0'],
  ['mit or apache-2.0', 'MIT OR Apache-2.0'],
  ['(MIT OR Apache-2.0)', 'MIT OR Apache-2.0'],
  ['MIT AND (ISC AND 0BSD)', 'MIT AND ISC AND 0BSD'],
  ['MIT OR MIT', 'MIT'],
  ['MIT OR (ISC OR MIT)', 'MIT OR ISC'],
  ['MIT OR ISC AND 0BSD', 'MIT OR ISC AND 0BSD'],
  ['(MIT OR ISC) AND 0BSD', '(MIT OR ISC) AND 0BSD'],
  ['MIT AND (ISC OR 0BSD) AND Zlib', 'MIT AND (ISC OR 0BSD) AND Zlib'],
  ['(MIT AND ISC) OR 0BSD', 'MIT AND ISC OR 0BSD'],
  ['GPL-2.0+', 'GPL-2.0-or-later'],
  ['GPL-2.0-only+', 'GPL-2.0-or-later'],
  ['LGPL-2.1-or-later+', 'LGPL-2.1-or-later'],
  ['CDDL-1.0+', 'CDDL-1.0+'],
  ['GPL-2.0', 'GPL-2.0-only'],
  ['GPL-2.0 WITH Classpath-exception-2.0', 'GPL-2.0-only WITH Classpath-exception-2.0'],
  ['GPL-2.0-with-classpath-exception', 'GPL-2.0-only WITH Classpath-exception-2.0'],
  ['GPL-2.0-with-classpath-exception WITH GCC-exception-3.1', null],
  ['eCos-2.0', 'GPL-2.0-or-later WITH eCos-exception-2.0'],
  ['Apache-2.0 WITH LLVM-exception OR MIT', 'Apache-2.0 WITH LLVM-exception OR MIT'],
  [
    'CDDL-1.0 OR GPL-2.0-with-classpath-exception',
    'CDDL-1.0 OR GPL-2.0-only WITH Classpath-exception-2.0',
  ],
  ['LicenseRef-own', 'LicenseRef-own'],
  ['DocumentRef-other:LicenseRef-own AND MIT', 'DocumentRef-other:LicenseRef-own AND MIT'],
  ['GPL-3.0-only WITH AdditionRef-own', 'GPL-3.0-only WITH AdditionRef-own'],
  ['', null],
  ['()', null],
  ['MIT OR', null],
  ['OR MIT', null],
  ['MIT ISC', null],
  ['(MIT', null],
  ['MIT)', null],
  ['MIT/ISC', null],
  ['MIT, ISC', null],
  ['MIT Or ISC', null],
  ['MIT WITH', null],
  ['MIT WITH ISC', null],
  ['(MIT OR ISC) WITH LLVM-exception', null],
  ['MIT +', null],
  ['+', null],
  ['Apache License 2.0', null],
  ['BSD', null],
  ['NOASSERTION', null],
  ['MIT AND NOASSERTION', null],
  ['MIT AND No-Such-1.0', null],
  ['LicenseRef-', null],
  ['__proto__', null],
  ['constructor', null],
  [`${'('.repeat(60)}MIT${')'.repeat(60)}`, null],
  [`${'('.repeat(40)}MIT${')'.repeat(40)}`, 'MIT'],
  ['MIT AND '.repeat(2000) + 'MIT', null],
])('%s is %s', (text, expected) => {
  expect(normal(text)).toBe(expected);
});

test('a normal expression is its own normal form, and texts of any kind never throw', () => {
  const token = fc.constantFrom(
    'MIT',
    'GPL-2.0+',
    'AND',
    'OR',
    'WITH',
    '(',
    ')',
    'GCC-exception-3.1',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(token).map((tokens) => tokens.join(' ')),
      ),
      (text) => {
        const once = parseLicence(text);
        if (once === null) return;
        const again = parseLicence(licenceText(once));
        expect(again && licenceText(again)).toBe(licenceText(once));
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ['MIT', 'permissive'],
  ['BSD-3-Clause-Clear', 'permissive'],
  ['Unicode-3.0', 'permissive'],
  ['CC-BY-4.0', 'permissive'],
  ['BSD-3-Clause-No-Military-License', 'source_available'],
  ['GPL-2.0-only WITH Linux-syscall-note', 'strong_copyleft'],
  ['CC0-1.0', 'public_domain'],
  ['MPL-2.0', 'weak_copyleft'],
  ['LGPL-2.1+', 'weak_copyleft'],
  ['GPL-2.0', 'strong_copyleft'],
  ['GPL-2.0-with-classpath-exception', 'weak_copyleft'],
  ['GPL-3.0-only WITH AdditionRef-own', 'strong_copyleft'],
  ['CC-BY-SA-3.0-AT', 'strong_copyleft'],
  ['AGPL-3.0', 'network_copyleft'],
  ['EUPL-1.2', 'network_copyleft'],
  ['SSPL-1.0', 'source_available'],
  ['CC-BY-NC-ND-3.0-DE', 'non_commercial'],
  ['MIT OR GPL-3.0-only', 'permissive'],
  ['MIT AND GPL-3.0-only', 'strong_copyleft'],
  ['MIT AND (ISC OR AGPL-3.0-only)', 'permissive'],
  ['LicenseRef-own', 'unknown'],
  ['MIT AND LicenseRef-own', 'unknown'],
  ['MIT OR LicenseRef-own', 'permissive'],
  ['BSD-Protection', 'unknown'],
  ['any text', 'unknown'],
])('%s is %s', (text, group) => {
  expect(describeLicence(text).license_group).toBe(group);
});

test('every group has licences of the list', () => {
  const groups = new Set(LICENCE_IDS.map((id) => describeLicence(id).license_group));
  expect([...groups].sort()).toEqual([...LICENCE_GROUPS, 'unknown'].sort());
});
