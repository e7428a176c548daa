import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { entryOf, finding, hostileTexts, reportOf, run } from '../../testing/findings';
import { cyclonedxVdr } from './cyclonedx';

/** The official strict schemas, as the library of the CycloneDX project carries them. */
const schemas = path.join(
  path.dirname(require.resolve('@cyclonedx/cyclonedx-library/package.json')),
  'res/schema',
);
const read = (name: string): object =>
  JSON.parse(readFileSync(path.join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
const base = 'http://cyclonedx.org/schema/';
const valid = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  .addSchema(read('spdx'), `${base}spdx.SNAPSHOT.schema.json`)
  .addSchema(read('jsf-0.82'), `${base}jsf-0.82.SNAPSHOT.schema.json`)
  .compile(read('bom-1.6'));

interface Vdr {
  components: { 'bom-ref': string }[];
  vulnerabilities: { id: string; affects: object[]; analysis?: { detail: string } }[];
  metadata: { properties: { name: string; value: string }[] };
}

function validated(vdr: object): Vdr {
  valid(vdr);
  expect(valid.errors ?? []).toEqual([]);
  return vdr as Vdr;
}

test('the schema is one that refuses', () => {
  expect(
    valid({ bomFormat: 'CycloneDX', specVersion: '1.6', vulnerabilities: [{ affects: [{}] }] }),
  ).toBe(false);
});

test('a vulnerability names every component that it affects, its ids, and what to do', () => {
  const rows = [
    finding({ title: 'Prototype pollution', aliases: ['CVE-1', 'GHSA-1'] }),
    finding({ package_name: 'right-pad', purl: 'pkg:npm/right-pad@2', package_version: '2' }),
    finding({ cve_id: 'CVE-2', cvss_score: null, severity: 'unknown', fixed_versions: [] }),
  ];
  const { components, vulnerabilities } = validated(cyclonedxVdr([reportOf(rows)], run, null));
  expect(components).toHaveLength(2);
  expect(vulnerabilities).toMatchObject([
    {
      id: 'CVE-1',
      source: { name: 'NVD' },
      references: [{ id: 'GHSA-1' }],
      ratings: [{ score: 7.5, severity: 'high' }],
      description: 'Prototype pollution',
      recommendation: 'Update left-pad to 1.0.1. Update right-pad to 1.0.1.',
      affects: [{ ref: 'pkg:npm/left-pad@1.0.0' }, { ref: 'pkg:npm/right-pad@2' }],
    },
    { id: 'CVE-2', ratings: [{ severity: 'unknown' }] },
  ]);
});

test('what is accepted or ignored has its reason, and a report that may miss findings says so', () => {
  const rows = [finding({ status: 'accepted' }), finding({ id: 'x', cve_id: 'CVE-2' })];
  const ignored = new Map([['x', entryOf('CVE-2')]]);
  const report = cyclonedxVdr([reportOf(rows, { ignored })], run, 'One feed is too old.');
  const { vulnerabilities, metadata } = validated(report);
  expect(vulnerabilities.map(({ analysis }) => analysis?.detail)).toEqual([
    'Accepted as a risk in bomtrail.',
    expect.stringContaining('not reachable'),
  ]);
  expect(metadata.properties).toContainEqual({ name: 'bomtrail:complete', value: 'false' });
});

test.each([
  ['accepted', { state: 'exploitable', response: ['will_not_fix'] }, 'affected'],
  ['not_affected', { state: 'not_affected' }, 'unaffected'],
  ['false_positive', { state: 'false_positive' }, 'unaffected'],
] as const)('%s is said in the words of CycloneDX', (status, analysis, affected) => {
  const rows = [
    finding({ status }),
    finding({ id: 'y', package_version: '2', purl: 'pkg:npm/b@2' }),
  ];
  const { vulnerabilities } = validated(cyclonedxVdr([reportOf(rows)], run, null));
  const [decided, open] = vulnerabilities as { analysis?: object; affects: object[] }[];
  expect(decided?.analysis).toEqual({ ...analysis, detail: expect.any(String) as string });
  expect(decided?.affects).toMatchObject([{ versions: [{ status: affected }] }]);
  expect(open).not.toHaveProperty('analysis');
  expect(open?.affects).toMatchObject([{ versions: [{ status: 'affected' }] }]);
});

test('what is under investigation says so, apart from what nobody looks into and from what is ignored', () => {
  const decision = {
    acceptance_id: 'a',
    decision: 'in_triage' as const,
    source: 'manual' as const,
    ticket_url: null,
    assignee: null,
  };
  const rows = [
    finding({ decision }),
    finding({ package_version: '2', purl: 'pkg:npm/left-pad@2' }),
    finding({ id: 'x', cve_id: 'CVE-2', decision }),
  ];
  const ignored = new Map([['x', entryOf('CVE-2')]]);
  const { vulnerabilities } = validated(cyclonedxVdr([reportOf(rows, { ignored })], run, null));
  expect(vulnerabilities.map(({ analysis }) => analysis)).toEqual([
    { state: 'in_triage', detail: 'Under investigation in bomtrail.' },
    undefined,
    expect.objectContaining({ state: 'exploitable' }),
  ]);
});

test.each(hostileTexts)('%j leaves it valid', (text) => {
  const row = finding({ package_name: text, title: text, package_version: text, cve_id: text });
  validated(cyclonedxVdr([reportOf([row], { what: text })], run, text));
});
