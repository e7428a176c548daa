import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { vdrComponent, vdrHead, vdrVulnerability, type DisclosedVulnerability } from './write-vdr';

/** The official strict schemas, as the library of the CycloneDX project carries them. */
const schemas = path.join(
  path.dirname(
    require.resolve('@cyclonedx/cyclonedx-library/package.json', {
      paths: [path.join(__dirname, '../../../sbom-formats')],
    }),
  ),
  'res/schema',
);
const read = (name: string): object =>
  JSON.parse(readFileSync(path.join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
const base = 'http://cyclonedx.org/schema/';
const valid = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  .addSchema(read('spdx'), `${base}spdx.SNAPSHOT.schema.json`)
  .addSchema(read('jsf-0.82'), `${base}jsf-0.82.SNAPSHOT.schema.json`)
  .compile(read('bom-1.6'));

const at = '2026-01-02T03:04:05.000Z';
const lodash = { name: 'lodash', version: '4.17.15', purl: 'pkg:npm/lodash@4.17.15' };
const product = {
  id: '3e671687-395b-41f5-a30f-a58921a69b79',
  name: 'shop',
  version: null,
  purl: null,
  bom: { serial: '3e671687-395b-41f5-a30f-a58921a69b79', version: 1 },
};

function reportOf(some: Partial<DisclosedVulnerability>): {
  components: object[];
  vulnerabilities: object[];
} {
  const vulnerability = {
    id: '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e5f',
    vulnerability: ['CVE-2021-23337', 'GHSA-35jh-r3h4-6jhm'],
    title: 'Command injection',
    severity: 'high' as const,
    cvss_score: 7.2,
    components: [{ ...lodash, fixed_versions: ['4.17.21'] }],
    decision: null,
    ...some,
  };
  return {
    ...vdrHead(product, { timestamp: at }),
    components: vulnerability.components.map(vdrComponent),
    vulnerabilities: [vdrVulnerability(vulnerability)],
  };
}

test.each<[string, Partial<DisclosedVulnerability>, object]>([
  ['undecided', {}, { recommendation: 'Update lodash to 4.17.21.', ratings: [{ score: 7.2 }] }],
  [
    'not affected',
    {
      decision: {
        decision: 'not_affected',
        justification: 'component_not_present',
        detail: 'Not there.',
        issued_at: at,
        updated_at: at,
      },
    },
    { analysis: { state: 'not_affected', justification: 'code_not_present' } },
  ],
  [
    'without score, title, purl and version',
    {
      title: null,
      cvss_score: null,
      severity: 'unknown',
      components: [{ name: 'x', version: '', purl: null, fixed_versions: [] }],
    },
    { affects: [{ ref: 'x@' }] },
  ],
])('a vulnerability that is %s fits the official schema', (_title, some, expected) => {
  const report = reportOf(some);
  valid(report);
  expect(valid.errors ?? []).toEqual([]);
  expect(report.vulnerabilities).toMatchObject([expected]);
});
