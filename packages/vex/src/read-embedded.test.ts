import { readEmbeddedVex } from './read-embedded';

const limits = { statements: 10 };
const read = (document: object) => readEmbeddedVex(Buffer.from(JSON.stringify(document)), limits);

const library = (name: string) => ({
  type: 'library',
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name}@1.0.0`,
  'bom-ref': name,
});

function cycloneDx(vulnerabilities: object[]): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    components: [library('a'), library('b')],
    vulnerabilities,
  };
}

const analysis = { state: 'not_affected', justification: 'code_not_present', detail: 'Not built.' };

test('the analyses of a CycloneDX SBOM are statements about its components', () => {
  const { statements, matches } = read(
    cycloneDx([
      { id: 'CVE-1', affects: [{ ref: 'a' }], analysis },
      { id: 'CVE-2', affects: [{ ref: 'b' }] },
      { id: 'CVE-3', affects: [{ ref: 'c' }], analysis: { state: 'in_triage' } },
    ]),
  );
  expect(
    statements.map(({ vulnerability, status, justification, detail }) => [
      ...vulnerability,
      status,
      justification,
      detail,
    ]),
  ).toEqual([
    ['CVE-1', 'not_affected', 'vulnerable_code_not_present', 'Not built.'],
    ['CVE-3', 'under_investigation', null, null],
  ]);
  expect(matches).toEqual([
    { fits: true, covers: [{ identity: 'pkg:npm/a', package_key: 'npm|a', version: '1.0.0' }] },
    expect.objectContaining({ fits: false }),
  ]);
});

test.each([
  ['an SBOM without any', cycloneDx([])],
  ['an invalid list', { ...cycloneDx([]), vulnerabilities: [{ analysis: { state: 5 } }] }],
  [
    'more than are read',
    cycloneDx(Array.from({ length: 11 }, (_, n) => ({ id: `CVE-${n}`, analysis }))),
  ],
  ['another format', { spdxVersion: 'SPDX-2.3' }],
])('%s makes no statements', (_title, document) => {
  expect(read(document)).toEqual({ statements: [], matches: [] });
});

test('bytes that are no JSON make none', () => {
  expect(readEmbeddedVex(Buffer.from('<xml/>'), limits).statements).toEqual([]);
});

/** A SPDX 3 document; `prefix`: the terms of the profile have it. */
function spdx3(prefix: boolean): object {
  const security = (name: string) => (prefix ? `security_${name}` : name);
  return {
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      {
        type: 'CreationInfo',
        '@id': '_:info',
        specVersion: '3.0.1',
        created: '2026-01-02T03:04:05Z',
      },
      {
        type: 'software_Package',
        spdxId: 'urn:a',
        creationInfo: '_:info',
        name: 'a',
        software_packageUrl: 'pkg:npm/a@1.0.0',
        software_packageVersion: '1.0.0',
      },
      {
        type: security('Vulnerability'),
        spdxId: 'urn:cve',
        creationInfo: '_:info',
        name: 'CVE-2026-1',
        externalIdentifier: [
          { type: 'ExternalIdentifier', externalIdentifierType: 'cve', identifier: 'CVE-2026-1' },
        ],
      },
      {
        type: security('VexNotAffectedVulnAssessmentRelationship'),
        spdxId: 'urn:not',
        creationInfo: '_:info',
        relationshipType: 'doesNotAffect',
        from: 'urn:cve',
        to: ['urn:a'],
        [security('justificationType')]: 'vulnerableCodeNotInExecutePath',
        [security('impactStatement')]: 'Never called.',
      },
      {
        type: security('VexUnderInvestigationVulnAssessmentRelationship'),
        spdxId: 'urn:under',
        creationInfo: '_:info',
        relationshipType: 'underInvestigationFor',
        from: 'urn:cve',
        to: ['urn:unknown'],
        [security('publishedTime')]: '2026-02-01T00:00:00Z',
      },
    ],
  };
}

test.each([true, false])('the assessments of a SPDX 3 document (prefixes %s)', (prefix) => {
  const { statements, matches } = read(spdx3(prefix));
  expect(statements).toMatchObject([
    {
      vulnerability: ['CVE-2026-1'],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      detail: 'Never called.',
      timestamp: '2026-01-02T03:04:05.000Z',
      products: [{ identifiers: [{ kind: 'purl', value: 'pkg:npm/a@1.0.0' }] }],
    },
    { status: 'under_investigation', products: [], timestamp: '2026-02-01T00:00:00.000Z' },
  ]);
  expect(matches.map(({ fits }) => fits)).toEqual([true, false]);
});

test('VX4 a version beside a purl without one limits an assessment of a SPDX 3 document', () => {
  const document = spdx3(true) as { '@graph': { spdxId?: string; [key: string]: unknown }[] };
  const named = document['@graph'].map((one) =>
    one.spdxId === 'urn:a' ? { ...one, software_packageUrl: 'pkg:npm/a' } : one,
  );
  const newer = {
    ...named.find(({ spdxId }) => spdxId === 'urn:a'),
    spdxId: 'urn:newer',
    software_packageVersion: '2.0.0',
  };
  const { matches } = read({ ...document, '@graph': [...named, newer] });
  expect(matches[0]).toEqual({
    fits: true,
    covers: [{ identity: 'pkg:npm/a', package_key: 'npm|a', version: '1.0.0' }],
  });
});
