import type { SbomVerdict } from '@bomtrail/api-client';
import { evaluateVerdict } from './evaluate-verdict';

const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };

function verdict(of: Partial<SbomVerdict>): SbomVerdict {
  return {
    sbom_id: 's',
    project_id: 'p',
    service_id: null,
    service_name: null,
    version: '1',
    scan_status: 'scanned',
    verdict: 'pass',
    reasons: [],
    caveats: [],
    fail_on: 'high',
    only_new: false,
    baseline: null,
    counts,
    new_counts: counts,
    accepted: 0,
    failing_total: 0,
    failing: [],
    advisory_data: 'feed',
    oldest_feed_age_seconds: 7300,
    fail_on_kev: false,
    max_epss: null,
    only_fixable: false,
    failing_by_rule: null,
    coverage: { components: 3, evaluated: 2, undetermined: { no_purl: 1 }, scope: 'part' },
    ...of,
  } as SbomVerdict;
}

const undecided = {
  verdict: 'undecided' as const,
  reasons: [{ code: 'scan_pending', message: 'Not over.' }],
};

test('a pass says how much was judged, and by how old advisories', () => {
  const { exitCode, line } = evaluateVerdict(verdict({}), 'shop/web 1', 'high');
  expect(exitCode).toBe(0);
  expect(line).toBe(
    'PASS shop/web 1: no finding at or above high; 2 of 3 components evaluated with advisory feeds at most 2 h old',
  );
});

test('a fail says how many findings break the policy, and all there are', () => {
  const broken = verdict({
    verdict: 'fail',
    failing_total: 2,
    only_new: true,
    counts: { ...counts, critical: 2, low: 4 },
    new_counts: { ...counts, critical: 2 },
  });
  const { exitCode, line } = evaluateVerdict(broken, 'shop/web 1', 'high');
  expect(exitCode).toBe(1);
  expect(line).toContain(
    'FAIL shop/web 1: 2 new findings at or above high (2 critical, 4 low; 2 new)',
  );
});

test('what is not known is 4, with the service’s reasons, also without a threshold', () => {
  for (const failOn of ['high', undefined] as const) {
    const { exitCode, line } = evaluateVerdict(
      verdict({ ...undecided, coverage: null, counts: null }),
      'shop/web 1',
      failOn,
    );
    expect([exitCode, line]).toEqual([4, 'UNDECIDED shop/web 1: Not over.']);
  }
});

test('a word that is not known is no pass', () => {
  const later = verdict(JSON.parse('{"verdict":"postponed"}') as Partial<SbomVerdict>);
  expect(evaluateVerdict(later, 'shop/web 1', 'high').exitCode).toBe(4);
});

test('without a threshold findings break nothing, but must stand on something', () => {
  const found = verdict({ verdict: 'fail', failing_total: 1, counts: { ...counts, critical: 1 } });
  expect(evaluateVerdict(found, 'shop/web 1', undefined)).toMatchObject({
    conclusion: 'scanned',
    exitCode: 0,
  });
  const nothing = { components: 3, evaluated: 0, undetermined: { starter_data: 3 } };
  expect(evaluateVerdict({ ...found, coverage: nothing }, 'shop/web 1', undefined).exitCode).toBe(
    4,
  );
});

test('names from outside make no second line', () => {
  expect(evaluateVerdict(verdict({}), 'shop/web 1\n::error::x\u001b[2J', 'high').line).not.toMatch(
    /[\n\u001b]/,
  );
});

const licenses = { allowed: 4, warned: 0, denied: 0, unknown: 0, excepted: 0, components: [] };

const quality = { score: 62, ntia_score: 70, bsi_score: 50, components: 3, elements: [] };

test.each<[string, Partial<SbomVerdict>, number, string]>([
  ['passes', {}, 0, 'PASS shop/web 1: no finding; quality 62 of 100, at least 60;'],
  [
    'fails',
    { verdict: 'fail', min_quality: 70 },
    1,
    'FAIL shop/web 1: 0 findings (no findings); quality 62 of 100, below 70;',
  ],
])('a gate by quality alone that %s', (...[, of, exitCode, line]) => {
  const known = verdict({ fail_on: 'none', min_quality: 60, quality, ...of });
  const judged = evaluateVerdict(known, 'shop/web 1', undefined);
  expect([judged.exitCode, judged.line]).toEqual([exitCode, expect.stringContaining(line)]);
});

test.each<[string, Partial<SbomVerdict>, number, string]>([
  ['none is denied', { licenses }, 0, 'PASS shop/web 1: no finding; no denied licences;'],
  [
    'one is denied',
    { verdict: 'fail', licenses: { ...licenses, denied: 1, unknown: 2 } },
    1,
    'FAIL shop/web 1: 0 findings (no findings); 1 denied licence (2 unknown);',
  ],
  [
    'the project has no policy',
    { verdict: 'undecided', reasons: [{ code: 'no_license_policy', message: 'None.' }] },
    4,
    'UNDECIDED shop/web 1: None.',
  ],
])('a gate by licences alone, and %s', (...[, of, exitCode, line]) => {
  const judged = evaluateVerdict(
    verdict({ fail_on: 'none', fail_on_license: true, ...of }),
    'shop/web 1',
    undefined,
  );
  expect([judged.exitCode, judged.line]).toEqual([exitCode, expect.stringContaining(line)]);
});
