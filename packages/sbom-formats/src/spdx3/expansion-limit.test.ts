import { spdx3, spdx3Package, spdx3Relationship, httpError } from '../testing/documents';
import { ExpansionLimitError, startExpansion } from './expansion-limit';

const rejection = {
  code: 'invalid_sbom',
  detail:
    'The references of the SPDX 3.0.1 document repeat more than 128 Mi characters; write long licences and ids less often.',
};
const many = Array.from({ length: 3000 }, (_unused, at) => `p${at}`);
const long = 'x'.repeat(100_000);

test('up to the limit nothing happens, beyond it the reading ends', () => {
  const expansion = startExpansion(10);
  expansion.add(10);
  expect(() => expansion.add(1)).toThrow(ExpansionLimitError);
});

describe('a small document that refers to one long text from everywhere is refused', () => {
  test('a licence', () => {
    const licence = {
      type: 'simplelicensing_LicenseExpression',
      spdxId: 'urn:l',
      simplelicensing_licenseExpression: long,
    };
    const elements = many.flatMap((name) => [
      spdx3Package(name),
      spdx3Relationship(`${name} hasDeclaredLicense l`),
    ]);
    expect(httpError(spdx3([licence, ...elements]))).toEqual(rejection);
  });

  test('a purl', () => {
    const identifier = {
      type: 'ExternalIdentifier',
      spdxId: 'urn:i',
      externalIdentifierType: 'packageUrl',
      identifier: `pkg:npm/${long}@1`,
    };
    const packages = many.map((name) => spdx3Package(name, { externalIdentifier: ['urn:i'] }));
    expect(httpError(spdx3([identifier, ...packages]))).toEqual(rejection);
  });

  test('a prefix', () => {
    const context = ['https://spdx.org/rdf/3.0.1/spdx-context.jsonld', { urn: long }];
    expect(
      httpError(
        spdx3(
          many.map((name) => spdx3Package(name)),
          context,
        ),
      ),
    ).toEqual(rejection);
  });
});
