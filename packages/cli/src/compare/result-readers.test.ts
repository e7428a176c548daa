import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseResult, readOtherResult } from './result-readers';

const a = { name: 'a', version: '1', purl: 'pkg:npm/a@1' };
const plain = { id: 'CVE-1', aliases: ['GHSA-1'], ...a, isSuppressed: false };

test.each<[string, string, unknown, unknown[]]>([
  [
    'matches and ignored ones',
    'grype',
    {
      matches: [
        { vulnerability: { id: 'CVE-1' }, relatedVulnerabilities: [{ id: 'GHSA-1' }], artifact: a },
      ],
      ignoredMatches: [{ vulnerability: { id: 'CVE-2' }, artifact: a }],
    },
    [plain, { ...plain, id: 'CVE-2', aliases: [], isSuppressed: true }],
  ],
  ['an empty result', 'grype', { matches: [] }, []],
  [
    'groups of aliases',
    'osv-scanner',
    {
      results: [
        {
          source: { path: 'package-lock.json' },
          packages: [
            {
              package: { name: 'a', version: '1', ecosystem: 'npm' },
              vulnerabilities: [{ id: 'GHSA-1', aliases: ['CVE-1'] }],
              groups: [{ ids: ['GHSA-1'], aliases: ['CVE-1'] }],
            },
          ],
        },
      ],
    },
    [{ ...plain, id: 'GHSA-1', aliases: ['CVE-1'], purl: null }],
  ],
  [
    'vulnerabilities without groups',
    'osv-scanner',
    {
      results: [
        { packages: [{ package: a, vulnerabilities: [{ id: 'CVE-1', aliases: ['GHSA-1'] }] }] },
      ],
    },
    [plain],
  ],
  ['nothing found', 'osv-scanner', { results: [] }, []],
  [
    'results, targets without findings, and modified findings',
    'trivy',
    {
      SchemaVersion: 2,
      Results: [
        { Target: 'x' },
        {
          Target: 'bom.json',
          Vulnerabilities: [
            {
              VulnerabilityID: 'CVE-1',
              VendorIDs: ['GHSA-1'],
              PkgName: 'a',
              PkgIdentifier: { PURL: 'pkg:npm/a@1' },
              InstalledVersion: '1',
            },
          ],
          ExperimentalModifiedFindings: [
            {
              Type: 'vulnerability',
              Finding: { VulnerabilityID: 'CVE-2', PkgName: 'a', InstalledVersion: '1' },
            },
            { Type: 'secret', Finding: {} },
          ],
        },
      ],
    },
    [plain, { ...plain, id: 'CVE-2', aliases: [], purl: null, isSuppressed: true }],
  ],
  ['no results', 'trivy', { SchemaVersion: 2 }, []],
  [
    'findings with a group and a suppression',
    'Dependency-Track',
    {
      meta: { application: 'Dependency-Track' },
      findings: [
        {
          component: { ...a, group: 'g' },
          vulnerability: { vulnId: 'CVE-1', aliases: [{ ghsaId: 'GHSA-1' }] },
          analysis: { isSuppressed: true },
        },
      ],
    },
    [{ ...plain, name: 'g/a', isSuppressed: true }],
  ],
  [
    'findings of the API',
    'DefectDojo',
    {
      count: 2,
      results: [
        {
          vulnerability_ids: [{ vulnerability_id: 'CVE-1' }, { vulnerability_id: 'GHSA-1' }],
          component_name: 'a',
          component_version: '1',
          false_p: false,
        },
        { cve: 'CVE-2', component_name: 'a', component_version: null, risk_accepted: true },
        { title: 'no component', component_name: null },
      ],
    },
    [
      { ...plain, purl: null },
      { ...plain, id: 'CVE-2', aliases: [], version: '', purl: null, isSuppressed: true },
    ],
  ],
  [
    'findings of the generic format',
    'DefectDojo',
    {
      findings: [
        { vulnerability_ids: ['CVE-1', 'GHSA-1'], component_name: 'a', component_version: '1' },
      ],
    },
    [{ ...plain, purl: null }],
  ],
])('%s of %s are read', (...[, tool, json, findings]) => {
  expect(readOtherResult(json)).toEqual({
    tool,
    findings,
    unreadable: expect.any(Number) as number,
  });
});

test.each([
  [null],
  [[]],
  ['text'],
  [{}],
  [{ results: [{}] }],
  [{ results: 7 }],
  [{ findings: [{ title: 'x' }] }],
  [{ bomFormat: 'CycloneDX', vulnerabilities: [] }],
])('%j is no result', (json) => {
  expect(readOtherResult(json)).toBeNull();
});

test.each([
  [{ matches: [null, 7, { vulnerability: 'x', artifact: [] }] }],
  [{ SchemaVersion: 2, Results: [{ Vulnerabilities: { a: 1 } }, null] }],
  [{ results: [{ packages: [{ groups: [{ ids: [7] }], package: null }] }] }],
])('what is broken in %j is left out', (json) => {
  expect(readOtherResult(json)?.findings).toEqual([]);
});

test('what has no id or no package is counted', () => {
  const [named, id] = [{ name: 'a', version: '1' }, { id: 'CVE-1' }];
  const matches = [
    { vulnerability: id, artifact: named },
    { vulnerability: {}, artifact: named },
    { vulnerability: id, artifact: {} },
  ];
  expect(readOtherResult({ matches })).toMatchObject({
    findings: [{ id: 'CVE-1' }],
    unreadable: 2,
  });
});

const exports = path.join(__dirname, '../../../../../shared/data/dtrack/fpf');
const files = existsSync(exports) ? readdirSync(exports) : [];

if (files.length === 0) test.skip('real exports: there is no ../shared/data/dtrack/fpf', () => {});
else
  test('real exports of Dependency-Track are read, each finding once', () => {
    const counts = files.map((file) => {
      const json = JSON.parse(readFileSync(path.join(exports, file), 'utf8')) as {
        findings?: unknown[] | null;
      };
      const result = readOtherResult(json);
      return [file, result?.findings.length ?? null, json.findings?.length ?? 0];
    });
    expect(counts.filter(([, read, there]) => read !== there)).toEqual([]);
  });

test.each([
  ['UTF-8', Buffer.from('{"matches":[]}'), 'grype'],
  ['UTF-8 with a byte order mark', Buffer.from('\u{FEFF}{"matches":[]}'), 'grype'],
])('a file in %s is read', (...[, bytes, tool]) => {
  expect(readOtherResult(parseResult(bytes))?.tool).toBe(tool);
});

test.each([
  ['UTF-16', Buffer.from('\u{FEFF}{"matches":[]}', 'utf16le'), 'UTF-16: save it as UTF-8'],
  ['UTF-16 without a byte order mark', Buffer.from('{}', 'utf16le'), 'UTF-16'],
  ['something else', Buffer.from('<html>'), 'not JSON'],
])('a file in %s is refused', (...[, bytes, why]) => {
  expect(() => parseResult(bytes)).toThrow(why);
});
