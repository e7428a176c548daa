import type { BriefVulnerability, SbomVerdict } from '@bomtrail/api-client';
import type { Ignore } from '../ignores/ignore';
import type { FoundReport, ReportRun } from '../output/document-report';

let ids = 0;

/** A finding of left-pad 1.0.0. */
export function finding(of: Partial<BriefVulnerability> = {}): BriefVulnerability {
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

const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };

/** A verdict in which these findings fail the gate. */
export function verdictOf(
  failing: readonly BriefVulnerability[],
  of: Partial<SbomVerdict> = {},
): SbomVerdict {
  const [first] = failing;
  return {
    sbom_id: 's',
    project_id: 'p',
    service_id: 'v',
    service_name: 'web',
    version: '1',
    scan_status: 'scanned',
    verdict: first ? 'fail' : 'pass',
    reasons: first ? [{ code: 'findings', message: 'Some are high or worse.' }] : [],
    caveats: [],
    fail_on: 'high',
    only_new: false,
    fail_on_kev: false,
    max_epss: null,
    only_fixable: false,
    baseline: null,
    counts: { ...none, high: failing.length },
    new_counts: null,
    accepted: 0,
    failing_total: failing.length,
    failing_by_rule: { fail_on: failing.length, fail_on_kev: 0, max_epss: 0 },
    failing: failing.map((row) => ({ ...row, is_new: null, failed_rules: ['fail_on'] })),
    coverage: { components: 3, evaluated: 3, undetermined: {}, scope: 'all' },
    advisory_data: 'feed',
    oldest_feed_age_seconds: 60,
    ...of,
  } as SbomVerdict;
}

export const run: ReportRun = {
  folder: '/repo',
  toolVersion: '1.0.1',
  now: new Date('2026-11-23T12:00:00.123Z'),
};

/** A document with findings, of which those of severity high and critical fail the gate. */
export function reportOf(
  vulnerabilities: readonly BriefVulnerability[],
  of: {
    what?: string;
    service_name?: string | null;
    name?: string;
    text?: string;
    ignored?: FoundReport['judged']['ignored'];
    verdict?: Partial<SbomVerdict>;
  } = {},
): FoundReport {
  const { what = 'shop/web 1', service_name = 'web', name = 'out/bom #1.json' } = of;
  const { text = '{}', ignored = new Map<string, Ignore>() } = of;
  const failing = vulnerabilities.filter(
    ({ id, severity, status }) =>
      ['critical', 'high'].includes(severity) &&
      ['open', 'fixed'].includes(status) &&
      !ignored.has(id),
  );
  const verdict = verdictOf(failing, of.verdict);
  const conclusion = verdict.verdict;
  const exitCode = { pass: 0, fail: 1, undecided: 4 }[conclusion];
  const judgement = { conclusion, exitCode, line: `${conclusion.toUpperCase()} ${what}` };
  const found = { service_name, vulnerabilities };
  return {
    what,
    stored: { id: 's' },
    file: { name, packed: Buffer.from(''), bytes: Buffer.from(text), sha256: '' },
    judged: { verdict, judgement, ignored },
    outcome: judgement,
    findings: async () => found,
    found,
  };
}

/** An entry of the ignore file, far from its end. */
export function entryOf(id: string, of: Partial<Ignore> = {}): Ignore {
  const expiresAt = new Date('2099-01-01T00:00:00Z');
  return { id, reason: 'not reachable', expiresAt, package: undefined, line: 1, ...of };
}

/** Texts that look like markup, commands or formulas somewhere. */
export const hostileTexts = [
  '<img src=x onerror=alert(1)>',
  ']]>&lt;x "y"',
  '##[error]x',
  '##vso[task.setvariable variable=k]v',
  '::add-mask::x',
  '=cmd|"/C calc"!A0',
  '@team #1 https://evil.example www.evil.example',
  '[click](https://evil.example) ![i](https://evil.example/i.png) | x `y` | <!-- c',
  'a\u0000b\u001b[31mc\ud800d\uffffe\u202ef\r\ng',
];
