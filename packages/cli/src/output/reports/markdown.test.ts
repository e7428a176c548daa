import type { SbomVerdict } from '@bomtrail/api-client';
import { evaluateVerdict } from '../../gate/evaluate-verdict';
import { entryOf, finding, hostileTexts, reportOf } from '../../testing/findings';
import { markdown } from './markdown';

const zero = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };

function failing(of: { package_name: string }, count = 1): SbomVerdict {
  const row = {
    id: 'i',
    cve_id: 'CVE-1',
    advisory_ids: [],
    severity: 'high',
    cvss_score: 7.5,
    purl: null,
    package_version: '1.0',
    package_versions: ['1.0'],
    fixed_versions: ['1.1'],
    is_direct: true,
    is_root: false,
    status: 'open',
    is_new: true,
    failed_rules: ['fail_on'],
    epss_score: null,
    epss_percentile: null,
    kev: null,
    risk: null,
    ...of,
  };
  return {
    sbom_id: 's',
    project_id: 'p',
    service_id: null,
    service_name: 'web',
    version: '2',
    scan_status: 'scanned',
    verdict: 'fail',
    fail_on: 'high',
    only_new: true,
    accepted: 0,
    reasons: [{ code: 'findings', message: 'One is high or worse.' }],
    caveats: [],
    baseline: { sbom_id: 'b', version: '1', scan_status: 'scanned' },
    counts: { ...zero, high: count },
    new_counts: { ...zero, high: count },
    failing_total: count,
    failing: Array.from({ length: Math.min(count, 100) }, () => row),
    fail_on_kev: false,
    max_epss: null,
    only_fixable: false,
    failing_by_rule: { fail_on: count, fail_on_kev: 0, max_epss: 0 },
    coverage: { components: 3, evaluated: 3, undetermined: {}, scope: 'all' },
    advisory_data: 'feed',
    oldest_feed_age_seconds: 60,
  } as SbomVerdict;
}

function summary(verdict: SbomVerdict): string {
  const judgement = evaluateVerdict(verdict, 'shop/web 2', 'high');
  const report = { ...reportOf([], { what: 'shop/web 2' }), outcome: judgement };
  const ignored = new Map();
  return markdown([{ ...report, judged: { verdict, judgement, ignored } }], judgement) ?? '';
}

test('says the verdict, the reason, the basis, what it was compared with, and each finding', () => {
  expect(summary(failing({ package_name: 'left-pad' }))).toBe(`### ❌ Fail: \`shop/web 2\`

- One is high or worse.
- 3 of 3 components evaluated with advisory feeds at most 60 s old.
- Baseline: \`1\`.

| | critical | high | medium | low | none | unknown |
|---|--:|--:|--:|--:|--:|--:|
| all | 0 | 1 | 0 | 0 | 0 | 0 |
| new | 0 | 1 | 0 | 0 | 0 | 0 |

| Severity | Vulnerability | Package | Version | Fixed in | |
|---|---|---|---|---|---|
| high 7.5 | \`CVE-1\` | \`left-pad\` | \`1.0\` | \`1.1\` | new |
`);
});

test.each([
  ['a cell', 'a|b', '`a\\|b`'],
  ['a code span', 'a`b', '`` a`b ``'],
  ['a line', 'a\n# b', '`a # b`'],
])('a name does not break out of %s', (_, package_name, shown) => {
  expect(summary(failing({ package_name }))).toContain(`| ${shown} |`);
});

test('sentences of the service make no markup and call nobody', () => {
  const verdict = failing({ package_name: 'x' });
  verdict.caveats = [{ code: 'x', message: 'Ask @team <b>now</b>' }];
  expect(summary(verdict)).toContain('- Ask @\u200bteam \\<b\\>now\\</b\\>');
});

test('shows twenty, and says how many more there are', () => {
  const text = summary(failing({ package_name: 'x' }, 130));
  expect(text.match(/`CVE-1`/g)).toHaveLength(20);
  expect(text).toContain('And 110 more findings.');
});

test('undecided does not look like a pass', () => {
  const verdict: SbomVerdict = {
    ...failing({ package_name: 'x' }),
    verdict: 'undecided',
    failing: [],
    failing_total: 0,
    counts: null,
    new_counts: null,
    reasons: [{ code: 'scan_pending', message: 'The scan is not finished yet.' }],
  };
  expect(summary(verdict)).toMatch(/^### ⚠️ Undecided \(not a pass\)/);
});

const pass = { exitCode: 0, line: 'PASS 2 documents: 2 passed' };

test('several documents have a line each, then their sections', () => {
  const text = markdown([reportOf([]), reportOf([finding()], { what: 'shop/api 1' })], {
    exitCode: 1,
    line: 'FAIL 2 documents: 1 with findings that fail the gate, 1 passed',
  });
  expect(text).toContain('| `shop/web 1` | Pass |\n| `shop/api 1` | Fail |');
  expect(text?.match(/^### /gm)).toHaveLength(2);
});

test('what is ignored is listed with its reason', () => {
  const row = finding();
  const ignored = new Map([[row.id, entryOf('CVE-1', { reason: 'a|b' })]]);
  expect(markdown([reportOf([row], { ignored })], pass)).toContain(
    '| `CVE-1` | `a\\|b` | 2098-12-31 |',
  );
});

test('it fits into a comment, however many documents there are', () => {
  const many = Array.from({ length: 900 }, (_, n) => reportOf([finding()], { what: `s/${n} 1` }));
  const text = markdown(many, pass) ?? '';
  expect(text.length).toBeLessThan(65_536);
  expect(text).toMatch(/And \d+ more documents\.\n$/);
});

test.each(hostileTexts)('%j stays text', (text) => {
  const row = finding({ package_name: text, cve_id: text, package_version: text });
  const hostile = reportOf([row], {
    what: text,
    verdict: { caveats: [{ code: 'x', message: text }] },
  });
  const written =
    markdown([hostile, { ...hostile, judged: null, outcome: { exitCode: 2, line: text } }], pass) ??
    '';
  // Outside of code spans nothing of it is left that the page would read.
  const outside = written.replace(/(`+)(?:(?!\1)[\s\S])*\1/g, '');
  expect(outside).not.toMatch(/(?<!\\)[<[]|@(?!\u200b)|:\/\/|##\w*\[|^::/m);
});
