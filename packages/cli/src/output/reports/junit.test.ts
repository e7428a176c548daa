import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { entryOf, finding, hostileTexts, reportOf } from '../../testing/findings';
import { junit } from './junit';

const testing = path.join(__dirname, '../../testing');

/** What libxml2 says of a document by our schema of JUnit XML. */
function problemsOf(xml: string): string {
  const schema = path.join(testing, 'junit.xsd');
  const args = [path.join(testing, 'validate-xml.mjs'), schema];
  const { status, stderr } = spawnSync(process.execPath, args, { input: xml, encoding: 'utf8' });
  return status === 0 ? '' : stderr || 'invalid';
}

interface Read {
  name: string;
  failures?: number;
  errors?: number;
  testsuite?: { testcase?: { name: string; failure?: unknown[]; skipped?: unknown[] }[] }[];
}

/** What a reader that others have written finds in a document. */
function readBy(xml: string): Read {
  const script =
    "import('junit2json').then(async ({ parse }) => console.log(JSON.stringify(await parse(require('node:fs').readFileSync(0, 'utf8')))))";
  const options = { input: xml, encoding: 'utf8', cwd: __dirname } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], options);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Read;
}

test('the schema is one that refuses', () => {
  expect(problemsOf('<testsuites><testcase/></testsuites>')).not.toBe('');
});

test('what fails the gate is a failure, what is suppressed is skipped, the rest passes', () => {
  const rows = [
    finding({ cve_id: 'CVE-1', title: 'Bad <thing>' }),
    finding({ cve_id: 'CVE-2', severity: 'low', cvss_score: 2 }),
    finding({ cve_id: 'CVE-3', status: 'accepted' }),
    finding({ cve_id: 'CVE-4' }),
    finding({ cve_id: 'CVE-5', status: 'fixed' }),
  ];
  const ignored = new Map([[rows[3]?.id ?? '', entryOf('CVE-4')]]);
  const xml = junit([reportOf(rows, { ignored })]);
  expect(problemsOf(xml)).toBe('');
  expect(xml).toContain(
    '<testsuite name="shop/web 1" tests="6" failures="3" errors="0" skipped="2">',
  );
  expect(xml).toContain(
    '<failure message="high 7.5 CVE-1: Bad &lt;thing&gt; in left-pad@1.0.0. Update left-pad to 1.0.1.">',
  );
  expect(xml).toContain('<testcase name="CVE-2 in left-pad@1.0.0" classname="left-pad"/>');
  expect(xml).toContain('<skipped>Accepted as a risk in bomtrail.</skipped>');
  expect(xml).toMatch(/<skipped>Ignored by the project file until [^<]*: not reachable<\/skipped>/);
  // The gate counts what only a newer SBOM fixes.
  expect(xml).toMatch(/<testcase name="CVE-5 [^>]*>\s*<failure/);
  const { failures, errors, testsuite = [] } = readBy(xml);
  const cases = testsuite.flatMap(({ testcase = [] }) => testcase);
  const outcomes = cases.map(({ name, failure, skipped }) => [
    name.split(' ')[0],
    failure ? 'failed' : skipped ? 'skipped' : 'passed',
  ]);
  expect([failures, errors, outcomes.length]).toEqual([3, 0, 6]);
  expect(outcomes.slice(-5)).toEqual([
    ['CVE-1', 'failed'],
    ['CVE-3', 'skipped'],
    ['CVE-4', 'skipped'],
    ['CVE-5', 'failed'],
    ['CVE-2', 'passed'],
  ]);
});

test('findings that fail are failures beyond those that the verdict names, and none passes that may fail', () => {
  const rows = [finding({ cve_id: 'CVE-1' }), finding({ cve_id: 'CVE-2', severity: 'low' })];
  const xmlBy = (only_new: boolean): string =>
    junit([reportOf(rows, { verdict: { failing: [], failing_total: 1, only_new } })]);
  expect(xmlBy(false)).toMatch(/"CVE-1 [^>]*>\s*<failure/);
  expect(xmlBy(true)).toMatch(/"CVE-1 [^>]*>\s*<skipped>Not known whether it is new/);
  for (const xml of [xmlBy(false), xmlBy(true)]) {
    expect(problemsOf(xml)).toBe('');
    expect(xml).toMatch(/"CVE-2 [^>]*\/>/);
  }
});

test('no more cases than a page of results can show, and the rest is said', () => {
  const many = Array.from({ length: 5_002 }, () => finding({ severity: 'low' }));
  const xml = junit([reportOf(many)]);
  expect(problemsOf(xml)).toBe('');
  expect(xml.match(/<testcase /g)).toHaveLength(1 + 5_000 + 1);
  expect(xml).toMatch(/"2 findings beyond 5000" [^>]*>\s*<skipped>/);
});

test('undecided, and an upload that failed, are errors: nothing is green that is not known', () => {
  const undecided = reportOf([], { verdict: { verdict: 'undecided' } });
  const outcome = { exitCode: 2, line: 'ERROR shop/api 1: Rejected (400).' };
  const { found: _, ...failed } = reportOf([], { what: 'shop/api 1' });
  const xml = junit([undecided, { ...failed, judged: null, outcome }]);
  expect(problemsOf(xml)).toBe('');
  expect(xml).toContain('<testsuites name="bomtrail" tests="2" failures="0" errors="2">');
});

test.each(hostileTexts)('%j stays text in valid XML', (text) => {
  const row = finding({ package_name: text, title: text, package_version: text, cve_id: text });
  const xml = junit([reportOf([row], { what: text })]);
  expect(problemsOf(xml)).toBe('');
  expect(xml).not.toMatch(/##\w*\[|^\s*::|<img/m);
});

test('the gate is skipped where an upload did not wait, or no rule was given', () => {
  const line = 'UPLOADED shop/web 1: not evaluated';
  const report = reportOf([]);
  const outcome = { exitCode: 0 as const, line };
  const scanned = { ...report.judged.judgement, conclusion: 'scanned' as const };
  const judged = { ...report.judged, judgement: scanned };
  for (const one of [
    { ...report, outcome, judged: undefined, found: undefined },
    { ...report, outcome, judged },
  ]) {
    const { found, ...rest } = one;
    const xml = junit([
      { ...rest, ...(found && { found }) } as Parameters<typeof junit>[0][number],
    ]);
    expect(problemsOf(xml)).toBe('');
    expect(xml).toContain(`<skipped>${line}`);
    expect(xml).toContain('tests="1" failures="0" errors="0" skipped="1"');
  }
});

test.each([
  ['fail', { message: 'Two are high.' }, 'FAIL shop/web 1. Two are high.'],
  ['undecided', { message: 'Not scanned.' }, 'UNDECIDED shop/web 1'],
] as const)('the gate that is %s has its line, and reasons that the line lacks', (...given) => {
  const [conclusion, reason, text] = given;
  const verdict = { verdict: conclusion, reasons: [{ code: 'findings', ...reason }] };
  expect(junit([reportOf([], { verdict })])).toContain(` message="${text}">`);
});
