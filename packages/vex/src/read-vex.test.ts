import { readVex } from './read-vex';
import { hasSharedData, sharedFiles, type SharedFile } from './testing/shared-data';
import type { ReadVexResult } from './vex-document';

const limits = { statements: 50_000 };
const read = ({ bytes }: { bytes: Uint8Array }): ReadVexResult => readVex(bytes, limits);
const readText = (value: unknown): ReadVexResult =>
  read({ bytes: Buffer.from(JSON.stringify(value)) });
const detailOf = (result: ReadVexResult): string => (result.ok ? 'it is read' : result.detail);
const suite = hasSharedData ? describe : describe.skip;

const openvex = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://example.com/vex-1',
  author: 'Example',
  timestamp: '2026-01-01T00:00:00+02:00',
  version: 3,
  statements: [
    {
      vulnerability: { name: 'CVE-1', aliases: ['GHSA-1', 'CVE-1'] },
      products: [
        {
          '@id': 'pkg:npm/a@1',
          identifiers: { cpe23: 'cpe:2.3:a:a:a:1' },
          hashes: { md5: '00' },
          subcomponents: [{ '@id': 'pkg:npm/b' }],
        },
      ],
      status: 'not_affected',
      justification: 'component_not_present',
      impact_statement: 'It is not there.',
    },
  ],
};

test('a statement of OpenVEX has its ids, products with all identifiers, and the time of its document', () => {
  const result = readText(openvex);
  expect(result).toEqual({
    ok: true,
    document: {
      format: 'openvex',
      spec_version: '0.2.0',
      id: 'https://example.com/vex-1',
      version: '3',
      author: 'Example',
      timestamp: '2025-12-31T22:00:00.000Z',
      last_updated: '2025-12-31T22:00:00.000Z',
      statements: [
        {
          vulnerability: ['CVE-1', 'GHSA-1'],
          products: [
            {
              identifiers: [
                { kind: 'purl', value: 'pkg:npm/a@1' },
                { kind: 'cpe', value: 'cpe:2.3:a:a:a:1' },
                { kind: 'hash', value: 'md5:00' },
              ],
              subcomponents: [[{ kind: 'purl', value: 'pkg:npm/b' }]],
            },
          ],
          status: 'not_affected',
          justification: 'component_not_present',
          written: { state: 'not_affected', justification: 'component_not_present' },
          detail: 'It is not there.',
          action: null,
          timestamp: '2025-12-31T22:00:00.000Z',
        },
      ],
    },
  });
});

test('a component of a CycloneDX document lies in the root of that document', () => {
  const result = readText({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: 'urn:uuid:3E671687-395b-41f5-a30f-a58921a69b79',
    version: 2,
    metadata: {
      component: { type: 'application', name: 'app', 'bom-ref': 'root', purl: 'pkg:npm/app@1' },
    },
    components: [{ type: 'library', name: 'b', 'bom-ref': 'b', purl: 'pkg:npm/b@2' }],
    vulnerabilities: [
      {
        id: 'CVE-1',
        analysis: { state: 'false_positive' },
        affects: [{ ref: 'b' }, { ref: 'root' }],
      },
      { id: 'CVE-2' },
    ],
  });
  const bom = { kind: 'bom', serial: '3e671687-395b-41f5-a30f-a58921a69b79', version: 2 };
  const root = [
    { kind: 'purl', value: 'pkg:npm/app@1' },
    { ...bom, ref: null },
    { kind: 'name', value: 'app' },
  ];
  const part = [
    { kind: 'purl', value: 'pkg:npm/b@2' },
    { ...bom, ref: 'b' },
    { kind: 'name', value: 'b' },
  ];
  expect(result.ok && result.document.statements).toMatchObject([
    {
      vulnerability: ['CVE-1'],
      status: 'false_positive',
      products: [
        { identifiers: root, subcomponents: [part] },
        { identifiers: root, subcomponents: [] },
      ],
    },
  ]);
});

test('a document with more statements about products than allowed is refused', () => {
  const { statements } = openvex;
  const bytes = Buffer.from(
    JSON.stringify({ ...openvex, statements: [...statements, ...statements] }),
  );
  expect(readVex(bytes, { statements: 2 }).ok).toBe(true);
  expect(detailOf(readVex(bytes, { statements: 1 }))).toContain('at most 1 are read');
});

test.each([
  ['', 'The file is empty.'],
  ['[]', 'no OpenVEX'],
  ['{"@context":"https://openvex.dev/ns/v9.9.9"}', 'is not supported: use 0.2.0'],
  ['{"bomFormat":"CycloneDX","specVersion":"1.3"}', 'CycloneDX 1.3 has no vulnerabilities'],
  ['{"bomFormat":"CycloneDX","specVersion":{}}', 'use 1.4 to 1.7'],
  ['{"document":{"tracking":1}}', 'it does not fit the JSON schema: document lacks'],
])('%s is refused', (text, reason) => {
  expect(detailOf(read({ bytes: Buffer.from(text) }))).toContain(reason);
});

suite('documents of vendors, tools and specifications', () => {
  /** Documents that break a mandatory test or the schema, with what is said. */
  const broken: Record<string, string> = {
    'bom.cdx.json': 'CycloneDX 1.3',
    'claircore-cve-1999-0001-deleted.json': 'lacks "category"',
    'claircore-cve-2021-0084.json': '6.1.16',
    'redhat-vex-cve-2023-0044.json': '6.1.16',
    'redhat-vex-cve-2023-1370.json': '6.1.16',
    'redhat-vex-cve-2023-1664.json': '6.1.16',
    'redhat-vex-cve-2023-20862.json': '6.1.16',
    'redhat-vex-cve-2023-33201.json': '6.1.16',
    'redhat-vex-cve-2022-45787.json': '6.1.16',
    'defectdojo-csaf_no_vuln.json': '6.1.27.11',
    'defectdojo-csaf_one_vuln.json': '6.1.11',
    'defectdojo-csaf_unsupported_version.json': 'must be one of "2.0"',
    'govex-csaf.json': 'must NOT have more than 3 properties',
    'grype-csaf-demo1.json': '6.1.27.5',
    'grype-csaf-demo2.json': '6.1.27.5',
    'trivy-csaf.json': '6.1.27.9',
    'vexctl-csaf.json': 'must NOT have more than 3 properties',
  };

  test.each([
    ...(['openvex/valid', 'openvex/old-0.0.1'] as const),
    ...(['cyclonedx/examples', 'cyclonedx/spec', 'cyclonedx/tools'] as const),
    ...(['csaf/examples', 'csaf/vendors', 'csaf/tools', 'csaf/validator/valid'] as const),
  ])('in %s: valid ones are read, the others refused with the reason', (folder) => {
    const files = sharedFiles(`vex/${folder}`);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const said = `${file.name}: ${detailOf(read(file))}`;
      expect(said).toContain(broken[file.name] ?? 'it is read');
    }
  });

  test('each invalid OpenVEX document is refused with its first error', () => {
    const files = [...sharedFiles('vex/openvex/invalid'), ...sharedFiles('vex/openvex/wrapped')];
    const said = Object.fromEntries(files.map((file) => [file.name, detailOf(read(file))]));
    expect(Object.values(said)).not.toContain('it is read');
    const expected: Record<string, string> = {
      'defectdojo-openvex_many_vuln.openvex.json': 'statements[5].vulnerability must be object',
      'grype-affected.openvex.json': 'statements[0] lacks "action_statement"',
      'rancher-report-lfs-pointer.openvex.json': 'not JSON',
      'trivy-test-openvex.openvex.json': 'lacks "@id"',
      'vexctl-1statement.openvex.json': 'has the unknown field "statement"',
      'vexctl-v020-1.openvex.json': 'lacks "timestamp"',
    };
    for (const [name, reason] of Object.entries(expected)) expect(said[name]).toContain(reason);
  });

  test('each of the 43 invalid CSAF documents is refused by the mandatory test that it breaks', () => {
    const files = sharedFiles('vex/csaf/validator/invalid');
    expect(files).toHaveLength(43);
    for (const file of files) {
      const numbers = /2021-([\d-]+)-\d\d\.json$/.exec(file.name)?.[1] ?? '';
      const broken = numbers.split('-').map(Number).join('.');
      expect(`${file.name}: ${detailOf(read(file))}`).toMatch(
        new RegExp(`tests? .*${broken}[ ,.]`),
      );
    }
  });

  test('no mutant of a document gives anything but a document or a refusal', () => {
    const files = [
      'openvex/valid',
      'openvex/old-0.0.1',
      'cyclonedx/examples',
      'csaf/examples',
    ].flatMap((folder) =>
      sharedFiles(`vex/${folder}`).filter(({ bytes }) => bytes.length < 20_000),
    );
    const random = generator(7);
    let refused = 0;
    for (let count = 0; count < 1_000; count += 1) {
      const file = files[Math.floor(random() * files.length)] as SharedFile;
      const result = read({ bytes: mutant(file.bytes, random) });
      if (!result.ok) {
        refused += 1;
        expect(result.detail).toMatch(/\S.*\.$/s);
      }
    }
    expect(refused).toBeGreaterThan(100);
  }, 60_000);
});

/** Changes one value somewhere in a document, or cuts its text. */
function mutant(bytes: Buffer, random: () => number): Buffer {
  if (random() < 0.1) return bytes.subarray(0, Math.floor(random() * bytes.length));
  const json = JSON.parse(bytes.toString()) as object;
  const places: [Record<string, unknown>, string][] = [];
  const queue: object[] = [json];
  for (const one of queue)
    for (const [key, value] of Object.entries(one) as [string, unknown][]) {
      places.push([one as Record<string, unknown>, key]);
      if (typeof value === 'object' && value !== null) queue.push(value);
    }
  const values = [
    null,
    0,
    -1,
    1e308,
    '',
    'x',
    '\ud800',
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    true,
    '__proto__',
  ];
  for (let changes = 0; changes <= random() * 3; changes += 1) {
    const [object, key] = places[Math.floor(random() * places.length)] as (typeof places)[number];
    if (random() < 0.3) delete object[key];
    else object[key] = values[Math.floor(random() * values.length)];
  }
  return Buffer.from(JSON.stringify(json));
}

/** mulberry32: the same mutants in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
