import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BriefVulnerability, SbomVerdict } from '@bomtrail/api-client';
import Ajv from 'ajv';
import { entryOf, finding, hostileTexts, reportOf, run } from '../../testing/findings';
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

function occurrence(
  package_version: string,
): NonNullable<BriefVulnerability['occurrences']>[number] {
  const purl = `pkg:npm/left-pad@${package_version}`;
  return { package_version, purl, fixed_versions: ['1.0.1'], advisory_ids: ['GHSA-1'] };
}

function logOf(
  vulnerabilities: BriefVulnerability[],
  more: { file?: { name?: string; bytes?: Buffer }; limits?: string[] } = {},
): Log {
  const text =
    '{\n  "components": [\n    {"purl": "pkg:npm/left-pad@1.0.0"},\n    {"name": "x|y"}\n]}\n';
  const caveats = (more.limits ?? []).map((message) => ({ code: 'x', message }));
  const { file } = more;
  const given = {
    text: file?.bytes?.toString() ?? text,
    ...(file?.name && { name: file.name }),
    verdict: { caveats },
  };
  return validated(sarif([reportOf(vulnerabilities, given)], run));
}

function validated(log: object): Log {
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

test('what is accepted is suppressed, what a newer SBOM fixes is there, what limits the findings is said', () => {
  const log = logOf([finding({ status: 'accepted' }), finding({ status: 'fixed' }), finding({})], {
    limits: ['2 of 3 components could not be judged.'],
  });
  expect(results(log).map(({ suppressions }) => suppressions?.length ?? 0)).toEqual([1, 0, 0]);
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
  sarif([reportOf(missing, { text: bytes.toString() })], run);
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
    {
      kev: true,
      epss_score: 0.9,
      risk: 92.4,
      'security-severity': '9.0',
      fixed_versions: ['1.0.1'],
    },
    { kev: false, fixed_versions: ['1.0.1'] },
  ]);
});

test('a rule has the title of the advisory and the version that fixes it', () => {
  const log = logOf([
    finding({ title: 'Prototype pollution', fixed_versions: ['1.0.1', '2.0.0'] }),
  ]);
  expect(log.runs[0]?.tool.driver.rules).toMatchObject([
    {
      shortDescription: { text: 'CVE-1: Prototype pollution' },
      help: { text: 'Update left-pad to 1.0.1, 2.0.0. Or accept the risk.' },
    },
  ]);
});

test('what the project file ignores is suppressed with its reason', () => {
  const row = finding();
  const ignored = new Map([[row.id, entryOf('CVE-1')]]);
  const log = validated(sarif([reportOf([row], { ignored })], run));
  expect(results(log)[0]?.suppressions).toEqual([
    {
      kind: 'external',
      justification: 'Ignored by the project file until 2099-01-01T00:00Z: not reachable',
    },
  ]);
});

test('several documents are several runs, each for its service', () => {
  const one = reportOf([finding()], { service_name: 'web' });
  const other = reportOf([finding()], { service_name: 'api' });
  const log = validated(sarif([one, other], run));
  expect(log).toMatchObject({
    runs: [
      { automationDetails: { id: 'bomtrail/web/' } },
      { automationDetails: { id: 'bomtrail/api/' } },
    ],
  });
});

test('documents that are checked without a project are runs of their own', () => {
  const checked = ['out/a.json', 'out/b.json'].map((name) => {
    const report = reportOf([finding()], { service_name: null, name });
    const { project_id: _none, ...verdict } = report.judged.verdict;
    return { ...report, judged: { ...report.judged, verdict: verdict as SbomVerdict } };
  });
  expect(validated(sarif(checked, run))).toMatchObject({
    runs: [
      { automationDetails: { id: 'bomtrail/out/a.json/' } },
      { automationDetails: { id: 'bomtrail/out/b.json/' } },
    ],
  });
  const ofProject = sarif([reportOf([finding()], { service_name: null })], run);
  expect(ofProject).toMatchObject({ runs: [{ automationDetails: { id: 'bomtrail/project/' } }] });
});

describe('the manifest that a document names', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-manifest-'));
    mkdirSync(path.join(folder, 'web'));
    writeFileSync(
      path.join(folder, 'web', 'package-lock.json'),
      '{\n"left-pad-2": 1,\n"left-pad": 1}',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const purl = 'pkg:npm/left-pad@1.0.0';
  const cyclonedx = (more: object): string =>
    JSON.stringify({ components: [{ components: [{ purl, ...more }] }] });
  const externalRefs = [{ referenceType: 'purl', referenceLocator: purl }];
  const located = (text: string): object | undefined => {
    const log = validated(sarif([reportOf([finding()], { text })], { ...run, folder }));
    return results(log)[0]?.locations[0]?.physicalLocation;
  };
  const manifest = {
    artifactLocation: { uri: 'web/package-lock.json' },
    region: { startLine: 3 },
  };

  test.each([
    ['evidence', cyclonedx({ evidence: { occurrences: [{ location: 'web/package-lock.json' }] } })],
    [
      'syft',
      cyclonedx({
        properties: [{ name: 'syft:location:0:path', value: '/web/package-lock.json' }],
      }),
    ],
    ['cdxgen', cyclonedx({ properties: [{ name: 'SrcFile', value: 'web/package-lock.json' }] })],
    [
      'SPDX of syft',
      JSON.stringify({
        packages: [
          { externalRefs, sourceInfo: 'acquired package info from: /web/package-lock.json' },
        ],
      }),
    ],
  ])('is the location, by %s', (_, text) => {
    expect(located(text)).toEqual(manifest);
  });

  test.each(['../../etc/passwd', '/etc/passwd', 'web', 'web/gone.json', '.'])(
    'is not used if it is %s',
    (value) => {
      const text = cyclonedx({ properties: [{ name: 'SrcFile', value }] });
      expect(located(text)).toMatchObject({ artifactLocation: { uri: 'out/bom%20%231.json' } });
    },
  );
});

test.each(hostileTexts)(
  '%j makes neither a link nor a command, and the log stays valid',
  (text) => {
    const row = finding({ package_name: text, title: text, package_version: text, cve_id: text });
    const log = validated(sarif([reportOf([row], { what: text, service_name: text })], run));
    const { message } = results(log)[0] ?? { message: { text: '](' } };
    expect(message.text).not.toContain('](');
    expect(message.text).not.toMatch(/##\w*\[|\n|::/);
  },
);
