import fc from 'fast-check';
import {
  accepted,
  component,
  cycloneDx,
  purlRef,
  relationship,
  spdx,
  spdx3,
  spdx3Package,
  spdx3Relationship,
  spdxPackage,
} from './testing/documents';

interface Software {
  name: string;
  version: string;
  hasPurl: boolean;
  license: string | null;
  type: 'library' | 'application' | 'operating-system';
  dependsOn: string[];
}

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const software = fc.uniqueArray(
  fc.record<Software>({
    name: fc.constantFrom(...NAMES),
    version: fc.constantFrom('1', '2.0'),
    hasPurl: fc.boolean(),
    license: fc.constantFrom('MIT', 'MIT OR ISC', null),
    type: fc.constantFrom('library', 'application', 'operating-system'),
    dependsOn: fc.uniqueArray(fc.constantFrom(...NAMES)),
  }),
  { selector: ({ name }) => name, minLength: 1 },
);

const purlOf = ({ name, version }: Software) => `pkg:npm/%40scope/${name}@${version}`;

function asCycloneDx(parts: Software[], direct: string[]): object {
  return cycloneDx({
    metadata: { component: { type: 'application', name: 'root', 'bom-ref': 'root' } },
    components: parts.map((part) =>
      component(part.name, {
        'bom-ref': part.name,
        version: part.version,
        type: part.type,
        ...(part.hasPurl ? { purl: purlOf(part) } : {}),
        ...(part.license === null ? {} : { licenses: [{ expression: part.license }] }),
      }),
    ),
    dependencies: [
      { ref: 'root', dependsOn: direct },
      ...parts.map(({ name, dependsOn }) => ({ ref: name, dependsOn })),
    ],
  });
}

function asSpdx2(parts: Software[], direct: string[]): object {
  const links = [
    ...direct.map((name) => `SPDXRef-root DEPENDS_ON SPDXRef-${name}`),
    ...parts.flatMap(({ name, dependsOn }) =>
      dependsOn.map((other) => `SPDXRef-${name} DEPENDS_ON SPDXRef-${other}`),
    ),
  ];
  return spdx({
    documentDescribes: ['SPDXRef-root'],
    packages: [
      spdxPackage('root'),
      ...parts.map((part) =>
        spdxPackage(part.name, {
          versionInfo: part.version,
          licenseDeclared: part.license ?? 'NOASSERTION',
          primaryPackagePurpose: part.type.toUpperCase(),
          externalRefs: part.hasPurl ? [purlRef(purlOf(part))] : [],
        }),
      ),
    ],
    relationships: links.map(relationship),
  });
}

function asSpdx3(parts: Software[], direct: string[]): object {
  const purposes = { library: 'library', application: 'application' };
  return spdx3([
    spdx3Package('root'),
    ...parts.map((part) =>
      spdx3Package(part.name, {
        software_packageVersion: part.version,
        software_primaryPurpose:
          part.type === 'operating-system' ? 'operatingSystem' : purposes[part.type],
        ...(part.hasPurl ? { software_packageUrl: purlOf(part) } : {}),
      }),
    ),
    ...parts.map(({ name, license }) =>
      spdx3Relationship(`${name} hasDeclaredLicense`, {
        to:
          license === null
            ? ['expandedlicensing_NoAssertionLicense']
            : [
                {
                  type: 'simplelicensing_LicenseExpression',
                  spdxId: `urn:licence:${name}`,
                  simplelicensing_licenseExpression: license,
                },
              ],
      }),
    ),
    spdx3Relationship(`root dependsOn ${direct.join(' ')}`),
    ...parts.map(({ name, dependsOn }) =>
      spdx3Relationship([name, 'dependsOn', ...dependsOn].join(' ')),
    ),
  ]);
}

test('the same software has the same dependencies in CycloneDX, SPDX 2 and SPDX 3', () => {
  fc.assert(
    fc.property(software, fc.uniqueArray(fc.constantFrom(...NAMES)), (parts, direct) => {
      const read = accepted(asCycloneDx(parts, direct));
      for (const other of [asSpdx2(parts, direct), asSpdx3(parts, direct)]) {
        expect(accepted(other).dependencies).toEqual(read.dependencies);
        expect(accepted(other).digest).toBe(read.digest);
      }
    }),
    { numRuns: 200 },
  );
});
