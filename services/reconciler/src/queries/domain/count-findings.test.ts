import type { BriefVulnerability, Severity } from '@bomtrail/messages';
import { countFindings } from './count-findings';

const reference = {
  acceptance_id: 'a',
  source: 'manual',
  ticket_url: null,
  assignee: null,
} as const;
const decisions: Record<string, BriefVulnerability['decision']> = {
  accepted: { ...reference, decision: 'risk_accepted' },
  not_affected: { ...reference, decision: 'not_affected' },
  false_positive: { ...reference, decision: 'false_positive' },
};

/** `1 high`, `1 high accepted`, `1 high - 9.8`: id, severity, status (`-`: open), score. */
function finding(text: string): BriefVulnerability {
  const [id = '', severity = '', status = '-', score] = text.split(' ');
  return {
    id,
    cve_id: `CVE-${id}`,
    severity: severity as Severity,
    cvss_score: score === undefined ? null : Number(score),
    package_name: 'lodash',
    package_version: '1.0.0',
    package_versions: ['1.0.0'],
    purl: 'pkg:npm/lodash@1.0.0',
    fixed_versions: [],
    detected_at: null,
    status: status === '-' ? 'open' : (status as BriefVulnerability['status']),
    decision: decisions[status] ?? null,
    is_direct: true,
    is_root: false,
    advisory_ids: [`GHSA-${id}`],
    epss_score: null,
    epss_percentile: null,
    kev: null,
    risk: null,
  };
}

const all = { fail_on: 'high', only_new: false } as const;
const onlyNew = { fail_on: 'high', only_new: true } as const;
const nothing = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };

function failingOf(...args: Parameters<typeof countFindings>): string[] {
  return countFindings(...args).failing.map(({ id }) => id);
}

test.each([
  ['critical', ['critical']],
  ['high', ['critical', 'high']],
  ['medium', ['critical', 'high', 'medium']],
  ['low', ['critical', 'high', 'medium', 'low', 'unknown']],
] as const)('a gate at %s is stopped by %j', (fail_on, expected) => {
  const severities = ['none', 'unknown', 'low', 'medium', 'high', 'critical'];
  const found = severities.map((severity) => finding(`${severity} ${severity}`));
  expect(failingOf(found, 'none', { fail_on, only_new: false })).toEqual(expected);
});

test('an accepted vulnerability stops nothing and is counted apart, one that is fixed later counts', () => {
  const found = [finding('1 high accepted'), finding('2 high fixed'), finding('3 low')];
  const { counts, failing } = countFindings(found, 'none', all);
  expect(counts).toMatchObject({ counts: { ...nothing, high: 1, low: 1 }, accepted: 1 });
  expect(failing.map(({ id }) => id)).toEqual(['2']);
});

test('a gate for what can be fixed is stopped by a vulnerability with a fix for any of its versions', () => {
  const version = { package_version: '1.0.0', purl: '', fixed_versions: [], advisory_ids: [] };
  const later = { ...version, package_version: '2.0.0', fixed_versions: ['2.1.0'] };
  const found = [
    finding('1 high'),
    { ...finding('2 high'), occurrences: [version, version] },
    { ...finding('3 high'), occurrences: [version, later] },
    { ...finding('4 high'), fixed_versions: ['1.1.0'] },
  ];
  expect(failingOf(found, 'none', { ...all, only_fixable: true })).toEqual(['3', '4']);
});

describe('what is new', () => {
  const found = [finding('1 critical'), finding('2 high'), finding('3 low')];

  test('is what the baseline does not have', () => {
    const { counts, failing } = countFindings(found, [finding('1 critical')], onlyNew);
    expect(counts.new_counts).toEqual({ ...nothing, high: 1, low: 1 });
    expect(counts.counts).toEqual({ ...nothing, critical: 1, high: 1, low: 1 });
    expect(failing).toMatchObject([{ id: '2', is_new: true }]);
  });

  test('is not what the baseline has at another severity', () => {
    expect(failingOf([finding('1 critical')], [finding('1 low')], onlyNew)).toEqual([]);
  });

  test('is everything where no version came before', () => {
    expect(failingOf(found, 'none', onlyNew)).toEqual(['1', '2']);
  });

  test('is not known, and stops nothing, while the baseline is not scanned', () => {
    const { counts, failing } = countFindings(found, 'unknown', onlyNew);
    expect(counts).toMatchObject({ new_counts: null, failing: 0 });
    expect(failing).toEqual([]);
    const { failing: ofAll } = countFindings(found, 'unknown', all);
    expect(ofAll.map(({ is_new }) => is_new)).toEqual([null, null]);
  });
});

test('what fails is reported from the worst on, by severity and score', () => {
  const found = ['1 high - 7.1', '2 high', '3 critical - 9.1', '4 high - 8', '5 critical - 10'];
  expect(failingOf(found.map(finding), 'none', all)).toEqual(['5', '3', '4', '1', '2']);
});
