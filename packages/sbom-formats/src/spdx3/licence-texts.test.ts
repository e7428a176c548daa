import type { JsonObject } from '../json';
import { onlyDependency, spdx3, spdx3Package, spdx3Relationship } from '../testing/documents';

const one = (changes: JsonObject, ...others: JsonObject[]) =>
  onlyDependency(spdx3([spdx3Package('a', changes), ...others]));

describe('the licence of an SPDX 3 package', () => {
  const licence = (type: string, id: string, changes: JsonObject): JsonObject => ({
    type,
    spdxId: `urn:${id}`,
    ...changes,
  });
  const expression = (id: string, text: string) =>
    licence('simplelicensing_LicenseExpression', id, { simplelicensing_licenseExpression: text });
  const listed = (id: string) => `https://spdx.org/licenses/${id}`;
  const licenseOf = (elements: JsonObject[], ...to: unknown[]) =>
    one({}, ...elements, spdx3Relationship('a hasDeclaredLicense', { to })).license;

  test('is the concluded one, else the declared one', () => {
    const both = [
      spdx3Relationship('a hasConcludedLicense l'),
      spdx3Relationship('a HAS_DECLARED_LICENSE m'),
      expression('m', 'ISC'),
    ];
    expect(one({}, ...both, expression('l', 'MIT OR ISC')).license).toBe('MIT OR ISC');
    expect(one({}, ...both, expression('l', 'NOASSERTION')).license).toBe('ISC');
    expect(one({}, ...both).license).toBe('ISC');
  });

  test.each<[string, string | null]>([
    [listed('MIT'), 'MIT'],
    ['http://spdx.org/licenses/0BSD', '0BSD'],
    ['expandedlicensing_NoAssertionLicense', null],
    ['https://spdx.org/rdf/3.0.1/terms/ExpandedLicensing/NoneLicense', null],
    ['https://example.org/doc#LicenseRef-own', 'LicenseRef-own'],
    ['https://example.org/licence', null],
  ])('outside of the document, %s, is %s', (id, text) => {
    expect(licenseOf([], id)).toBe(text);
  });

  test.each<[string, JsonObject[], string | null]>([
    [
      'a set of all',
      [
        licence('expandedlicensing_ConjunctiveLicenseSet', 'l', {
          expandedlicensing_member: [listed('MIT'), 'urn:m'],
        }),
        expression('m', 'ISC OR 0BSD'),
      ],
      'MIT AND (ISC OR 0BSD)',
    ],
    [
      'a set to choose from, inline',
      [
        licence('expandedlicensing_DisjunctiveLicenseSet', 'l', {
          expandedlicensing_member: [listed('MIT'), expression('m', 'ISC')],
        }),
      ],
      'MIT OR ISC',
    ],
    [
      'a set with an unknown one',
      [
        licence('expandedlicensing_ConjunctiveLicenseSet', 'l', {
          expandedlicensing_member: [listed('MIT'), 'urn:none'],
        }),
      ],
      'MIT AND NOASSERTION',
    ],
    [
      'later versions with an exception',
      [
        licence('expandedlicensing_WithAdditionOperator', 'l', {
          expandedlicensing_subjectExtendableLicense: 'urn:later',
          expandedlicensing_subjectAddition: listed('Classpath-exception-2.0'),
        }),
        licence('expandedlicensing_OrLaterOperator', 'later', {
          expandedlicensing_subjectLicense: listed('CDDL-1.0'),
        }),
      ],
      'CDDL-1.0+ WITH Classpath-exception-2.0',
    ],
    ['an own licence', [licence('expandedlicensing_CustomLicense', 'l', { name: 'Ours' })], 'Ours'],
    [
      'a set of itself',
      [
        licence('expandedlicensing_ConjunctiveLicenseSet', 'l', {
          expandedlicensing_member: ['urn:l'],
        }),
      ],
      null,
    ],
  ])('may be %s', (_title, elements, text) => {
    expect(licenseOf(elements, 'urn:l')).toBe(text);
  });

  test('is unknown if sets of sets would make it longer than any licence', () => {
    const sets = Array.from({ length: 30 }, (_unused, level) =>
      licence('expandedlicensing_ConjunctiveLicenseSet', `l${level}`, {
        expandedlicensing_member: [
          { ...expression(`o${level}`, `LicenseRef-${level} OR MIT`) },
          `urn:l${level + 1}`,
          licence('expandedlicensing_DisjunctiveLicenseSet', `d${level}`, {
            expandedlicensing_member: [`urn:l${level + 1}`, listed('ISC')],
          }),
        ],
      }),
    );
    expect(licenseOf(sets, 'urn:l0')?.length ?? 0).toBeLessThan(20_000);
  });
});
