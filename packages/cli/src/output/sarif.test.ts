import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BriefVulnerability, SbomDetail } from '@bomtrail/api-client';
import Ajv from 'ajv';
import type { SbomFile } from '../gate/read-document';
import { sarif } from './sarif';

/** The official schema, as Microsoft's own matchers carry it. */
const schemaFile = path.join(
  path.dirname(require.resolve('@microsoft/jest-sarif/package.json')),
  'lib/schemas/sarif-2.1.0-rtm.5.json',
);
// Its draft is one that Ajv 8 does not name; it uses nothing that a later one reads otherwise.
const {
  $schema: _,
  id: __,
  ...schema
} = JSON.parse(readFileSync(schemaFile, 'utf8')) as Record<string, unknown>;
const valid = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
  schema,
);

interface Log {
  runs: {
    tool: { driver: { rules: { id: string; properties: Record<string, unknown> }[] } };
    invocations: { toolExecutionNotifications?: { message: { text: string } }[] }[];
    results: {
      ruleId: string;
      ruleIndex: number;
      level: string;
      message: { text: string };
      partialFingerprints: Record<string, string>;
      suppressions?: unknown[];
      properties: Record<string, unknown>;
      locations: {
        physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } };
      }[];
    }[];
  }[];
}

let ids = 0;
function finding(of: Partial<BriefVulnerability>): BriefVulnerability {
  ids += 1;
  return {
    id: `id-${ids}`,
    cve_id: 'CVE-1',
    advisory_ids: ['GHSA-1'],
    severity: 'high',
    cvss_score: 7.5,
    package_name: 'left-pad',
    package_version: '1.0.0',
    package_versions: ['1.0.0'],
    purl: 'pkg:npm/left-pad@1.0.0',
    fixed_versions: ['1.0.1'],
    is_direct: true,
    is_root: false,
    status: 'open',
    epss_score: null,
    epss_percentile: null,
    kev: null,
    risk: null,
    ...of,
  };
}

function occurrence(
  package_version: string,
): NonNullable<BriefVulnerability['occurrences']>[number] {
  const purl = `pkg:npm/left-pad@${package_version}`;
  return { package_version, purl, fixed_versions: ['1.0.1'], advisory_ids: ['GHSA-1'] };
}

function logOf(
  vulnerabilities: BriefVulnerability[],
  more: { file?: Partial<SbomFile>; limits?: string[] } = {},
): Log {
  const text =
    '{\n  "components": [\n    {"purl": "pkg:npm/left-pad@1.0.0"},\n    {"name": "x|y"}\n]}\n';
  const file = {
    name: 'out/bom #1.json',
    packed: Buffer.from(''),
    bytes: Buffer.from(text),
    sha256: '',
    ...more.file,
  };
  const detail = { service_name: 'web', vulnerabilities } as unknown as SbomDetail;
  const log = sarif({
    detail,
    file,
    folder: '/repo',
    toolVersion: '1.0.1',
    limits: more.limits ?? [],
  });
  valid(log);
  expect(valid.errors ?? []).toEqual([]);
  return log as Log;
}

const results = (log: Log): Log['runs'][number]['results'] => log.runs[0]?.results ?? [];

test('the schema is the one that refuses', () => {
  expect(valid({ version: '2.1.0', runs: [{ results: [] }] })).toBe(false);
});

test('each vulnerability is a rule with its worst score, each package a result at its line of the file', () => {
  const log = logOf([
    finding({ cvss_score: 5.3, severity: 'medium', purl: 'pkg:npm/other@1', package_name: 'x|y' }),
    finding({}),
    finding({
      cve_id: 'CVE-2',
      cvss_score: null,
      severity: 'critical',
      purl: null,
      package_name: 'gone',
    }),
  ]);
  const rules = log.runs[0]?.tool.driver.rules ?? [];
  expect(rules.map(({ id, properties }) => [id, properties['security-severity']])).toEqual([
    ['CVE-2', '9.0'],
    ['CVE-1', '7.5'],
  ]);
  for (const { ruleId, ruleIndex } of results(log)) expect(rules[ruleIndex]?.id).toBe(ruleId);
  const locations = results(log).map(({ locations: [at] }) => at?.physicalLocation);
  expect(locations.map((at) => at?.region.startLine)).toEqual([1, 3, 4]);
  expect(new Set(locations.map((at) => at?.artifactLocation.uri))).toEqual(
    new Set(['out/bom%20%231.json']),
  );
  expect(results(log).map(({ level }) => level)).toEqual(['error', 'error', 'warning']);
});

test('an unknown severity has no score', () => {
  const [rule] =
    logOf([finding({ severity: 'unknown', cvss_score: null })]).runs[0]?.tool.driver.rules ?? [];
  expect(rule?.properties).not.toHaveProperty('security-severity');
});

test('a finding keeps its fingerprint over versions, and several versions of one package have their own', () => {
  const row = finding({});
  const prints = (log: Log): (string | undefined)[] =>
    results(log).map(({ partialFingerprints: all }) => all['primaryLocationLineHash']);
  const [before] = prints(logOf([row]));
  const [after, second, other] = prints(
    logOf([
      { ...row, package_version: '0.9', occurrences: ['0.9', '1.0.0-2'].map(occurrence) },
      finding({}),
    ]),
  );
  expect(after).toBe(before);
  expect(new Set([after, second, other]).size).toBe(3);
});

test('what is accepted is suppressed, what is fixed is not there, what limits the findings is said', () => {
  const log = logOf([finding({ status: 'accepted' }), finding({ status: 'fixed' }), finding({})], {
    limits: ['2 of 3 components could not be judged.'],
  });
  expect(results(log).map(({ suppressions }) => suppressions?.length ?? 0)).toEqual([1, 0]);
  const [invocation] = log.runs[0]?.invocations ?? [];
  expect(invocation?.toolExecutionNotifications?.map(({ message }) => message.text)).toEqual([
    '2 of 3 components could not be judged.',
  ]);
});

test('no more results than GitHub shows, the worst first, and the rest is said', () => {
  const many = Array.from({ length: 5_001 }, () => finding({ severity: 'low', cvss_score: 2 }));
  const log = logOf([...many, finding({ cve_id: 'CVE-9', severity: 'critical', cvss_score: 9.9 })]);
  expect(results(log)).toHaveLength(5_000);
  expect(results(log)[0]?.ruleId).toBe('CVE-9');
  expect(JSON.stringify(log.runs[0]?.invocations)).toContain('2 findings beyond 5000');
});

test('a package is found where it is named, not within another text, whatever stands before it', () => {
  const bytes = Buffer.from(
    ['{"a\\\\": "\\"",', '"b": "see \\"left-pad\\"",', '"ü": "",', '"name": "left-pad"}'].join(
      '\n',
    ),
  );
  JSON.parse(bytes.toString());
  const [result] = results(logOf([finding({ purl: null })], { file: { bytes } }));
  expect(result?.locations[0]?.physicalLocation.region.startLine).toBe(4);
});

test('a large document is read once, not for each of thousands of findings', () => {
  const components = Array.from({ length: 2_000 }, (_, n) => ({ name: `package-${n}` }));
  const bytes = Buffer.from(JSON.stringify({ components }, null, 1));
  const missing = Array.from({ length: 2_000 }, (_, n) =>
    finding({ purl: `pkg:npm/missing-${n}@1`, package_name: `missing-${n}` }),
  );
  let searched = 0;
  const { indexOf } = String.prototype;
  const spy = jest.spyOn(String.prototype, 'indexOf').mockImplementation(function (
    this: string,
    wanted: string,
    from = 0,
  ) {
    const at = indexOf.call(this, wanted, from);
    searched += (at < 0 ? this.length : at) - from;
    return at;
  });
  const detail = { service_name: 'web', vulnerabilities: missing } as unknown as SbomDetail;
  const file = { name: 'bom.json', packed: bytes, bytes, sha256: '' };
  sarif({ detail, file, folder: '/repo', toolVersion: '1.0.1', limits: [] });
  spy.mockRestore();
  expect(searched).toBeGreaterThan(0);
  expect(searched / bytes.length).toBeLessThan(10);
});

test('a document from standard input, or outside of the repository, is called by a name', () => {
  for (const name of ['-', '../../elsewhere/bom.json']) {
    const [result] = results(logOf([finding({})], { file: { name } }));
    expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('sbom.json');
  }
});

test('results carry what decides on the order of fixes; what is unknown is left out', () => {
  const kev = { date_added: '2026-01-01', due_date: null, ransomware: false };
  const log = logOf([
    finding({ severity: 'critical', cvss_score: null, kev, epss_score: 0.9, risk: 92.4 }),
    finding({ severity: 'unknown', cvss_score: null, kev: null, epss_score: null, risk: null }),
  ]);
  expect(results(log).map(({ properties }) => properties)).toEqual([
    { kev: true, epss_score: 0.9, risk: 92.4, 'security-severity': '9.0' },
    { kev: false },
  ]);
});
