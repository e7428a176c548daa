import { judge, type Known } from './verdict';

const none = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
const clean = {
  counts: none,
  new_counts: none,
  accepted: 0,
  decided: { risk_accepted: 0, not_affected: 0, false_positive: 0, in_triage: 0 },
  failing: 0,
  failing_by_rule: { fail_on: 0, fail_on_kev: 0, max_epss: 0 },
  revision: 7,
  untracked: 0,
};
const failing = {
  ...clean,
  counts: { ...none, high: 2 },
  failing: 2,
  failing_by_rule: { fail_on: 2, fail_on_kev: 0, max_epss: 0 },
};
const judged = { components: 5, evaluated: 5, undetermined: {}, scope: 'all' as const };
const sure: Known = {
  scan: { status: 'scanned', error: null },
  coverage: judged,
  found: clean,
  revision: 7,
  baseline: 'scanned',
  fail_on: 'high',
  only_new: false,
  riskFeeds: [],
  licenses: null,
  quality: null,
};

const partly = (undetermined: Record<string, number>): Known['coverage'] => ({
  components: 5,
  evaluated: 4,
  undetermined,
  scope: 'part',
});
const unjudged = (undetermined: Record<string, number>, components = 5): Known['coverage'] => ({
  components,
  evaluated: 0,
  undetermined,
  scope: components === 0 ? 'empty' : 'none',
});

function codes(known: Partial<Known>): string[] {
  const { verdict, reasons, caveats } = judge({ ...sure, ...known });
  return [verdict, ...[...reasons, ...caveats].map(({ code }) => code)];
}

test.each<[string, Partial<Known>, string[]]>([
  ['everything was judged and nothing found', {}, ['pass']],
  ['something was found', { found: failing }, ['fail', 'findings']],
  [
    'it is not scanned',
    { scan: { status: 'pending', error: null }, found: null, coverage: null },
    ['undecided', 'scan_pending'],
  ],
  [
    'its component set was judged for another SBOM, but it is not scanned',
    { scan: { status: 'pending', error: null }, found: null },
    ['undecided', 'scan_pending'],
  ],
  [
    'its scan failed',
    { scan: { status: 'failed', error: 'It is too odd.' }, found: null, coverage: null },
    ['undecided', 'scan_failed'],
  ],
  [
    'a rule needs KEV, which is not loaded',
    { riskFeeds: [{ feed: 'kev', records: 0, age_seconds: null }] },
    ['undecided', 'risk_feed_not_loaded'],
  ],
  [
    'a rule needs KEV, of which there are only old values',
    { riskFeeds: [{ feed: 'kev', records: 1_600, age_seconds: 5 * 86_400 }] },
    ['pass', 'risk_feed_stale'],
  ],
  [
    'a rule needs EPSS, of which there are values of these days',
    { riskFeeds: [{ feed: 'epss', records: 300_000, age_seconds: 3 * 86_400 }] },
    ['pass'],
  ],
  ['it lists nothing', { coverage: unjudged({}, 0) }, ['undecided', 'nothing_judged']],
  [
    'nothing of it could be judged',
    { coverage: unjudged({ no_purl: 5 }) },
    ['undecided', 'nothing_judged'],
  ],
  [
    'no advisories are loaded for one component',
    { coverage: partly({ feed_not_loaded: 1 }) },
    ['undecided', 'feed_not_loaded', 'part_judged'],
  ],
  [
    'only the starter set speaks of it',
    { coverage: unjudged({ starter_data: 5 }) },
    ['undecided', 'nothing_judged', 'starter_data'],
  ],
  [
    'the advisories of one component are too old',
    { coverage: partly({ feed_stale: 1 }) },
    ['undecided', 'feed_stale', 'part_judged'],
  ],
  [
    'a component cannot be judged by any advisories',
    { coverage: partly({ no_purl: 1 }) },
    ['pass', 'part_judged'],
  ],
  [
    'something was found by advisories that are not enough to let it pass',
    { found: failing, coverage: unjudged({ starter_data: 5 }) },
    ['fail', 'findings'],
  ],
  [
    'what is new is asked for and the baseline is not scanned',
    { only_new: true, baseline: 'pending', found: { ...clean, new_counts: null } },
    ['undecided', 'baseline_pending'],
  ],
  [
    'advisories came into force on which its findings do not stand yet',
    { revision: 8 },
    ['undecided', 'advisories_changing'],
  ],
  [
    'something that is found in it has no place in the lists yet',
    { found: { ...clean, untracked: 1 } },
    ['undecided', 'advisories_changing'],
  ],
  [
    'something was found, and newer advisories may find more',
    { found: failing, revision: 8 },
    ['fail', 'findings', 'advisories_changing'],
  ],
  [
    'something was found beside what has no place in the lists yet',
    { found: { ...failing, untracked: 1 } },
    ['fail', 'findings', 'advisories_changing'],
  ],
  ['its findings stand on later advisories', { revision: 6 }, ['pass']],
  ['the baseline is not scanned, which matters to nobody', { baseline: 'pending' }, ['pass']],
  [
    'what is new is asked for and there is no baseline',
    { only_new: true, baseline: 'none' },
    ['pass', 'no_baseline'],
  ],
  [
    'a severity is unknown',
    { found: { ...clean, counts: { ...none, unknown: 1 } } },
    ['pass', 'severity_unknown'],
  ],
  [
    'an old one has an unknown severity and only new ones count',
    { only_new: true, found: { ...clean, counts: { ...none, unknown: 1 } } },
    ['pass'],
  ],
])('%s', (_what, known, expected) => {
  expect(codes(known)).toEqual(expected);
});

const licences = { allowed: 4, warned: 0, denied: 0, unknown: 0, excepted: 0, components: [] };

test.each<[string, Partial<Known>, string[]]>([
  ['all are allowed', { licenses: licences }, ['pass']],
  ['one is denied', { licenses: { ...licences, denied: 1 } }, ['fail', 'licenses']],
  [
    'one is denied and something was found',
    { found: failing, licenses: { ...licences, denied: 1 } },
    ['fail', 'findings', 'licenses'],
  ],
  [
    'one is denied before the scan',
    {
      scan: { status: 'pending', error: null },
      found: null,
      coverage: null,
      licenses: { ...licences, denied: 1 },
    },
    ['fail', 'licenses'],
  ],
  [
    'some are unknown, some warned of',
    { licenses: { ...licences, unknown: 2, warned: 1 } },
    ['pass', 'license_unknown', 'license_warned'],
  ],
  [
    'a rule names no licence',
    {
      licenses: {
        ...licences,
        unknown_rules: [{ license: 'GPL-3.0-onyl', similar: ['GPL-3.0-only'] }],
      },
    },
    ['pass', 'license_rule_unknown'],
  ],
  ['the project has no policy', { licenses: 'no_policy' }, ['undecided', 'no_license_policy']],
  [
    'the project has no policy and something was found',
    { found: failing, licenses: 'no_policy' },
    ['fail', 'findings'],
  ],
])('V6: licences: %s', (_what, known, expected) => {
  expect(codes(known)).toEqual(expected);
});

const poor = {
  score: 59,
  ntia_score: 80,
  bsi_score: 40,
  components: 3,
  elements: [
    { element: 'name', required_by: [], present: 3, total: 3, reason: null },
    ...[1, 1, 2, 3, 4].map((n) => ({
      element: `e${n}`,
      required_by: [],
      present: 0,
      total: 3,
      reason: `Lacks ${n}.`,
    })),
  ],
};
const notScanned: Partial<Known> = {
  scan: { status: 'pending', error: null },
  found: null,
  coverage: null,
};

test.each<[string, Partial<Known>, string[]]>([
  ['at the limit', { quality: { min: 59, found: poor } }, ['pass']],
  ['below the limit', { quality: { min: 60, found: poor } }, ['fail', 'quality']],
  [
    'below it, with findings',
    { found: failing, quality: { min: 60, found: poor } },
    ['fail', 'findings', 'quality'],
  ],
  [
    'below it before the scan',
    { ...notScanned, quality: { min: 60, found: poor } },
    ['fail', 'quality'],
  ],
  ['unknown', { quality: { min: 1, found: 'unknown' } }, ['undecided', 'quality_unknown']],
])('V7: quality: %s', (_what, known, expected) => {
  expect(codes(known)).toEqual(expected);
});

test('says what a document of low quality lacks, at most three reasons, each once', () => {
  expect(judge({ ...sure, quality: { min: 60, found: poor } }).reasons).toEqual([
    {
      code: 'quality',
      message: 'The quality of the document is 59 of 100, below 60. Lacks 1. Lacks 2. Lacks 3.',
    },
  ]);
});

test('says which licence is denied', () => {
  const component = {
    name: 'mongo-tool',
    version: '1.0.0',
    purl: null,
    license: 'AGPL-3.0-only',
    outcome: 'deny' as const,
    rule: 'group' as const,
  };
  const licenses = { ...licences, denied: 2, components: [component] };
  expect(judge({ ...sure, licenses }).reasons).toEqual([
    {
      code: 'licenses',
      message:
        '2 components have licences that the policy denies, such as mongo-tool (AGPL-3.0-only).',
    },
  ]);
});

test.each([
  [{ found: failing }, '2 vulnerabilities are high or worse.'],
  [
    {
      found: {
        ...failing,
        failing: 1,
        failing_by_rule: { fail_on: 1, fail_on_kev: 0, max_epss: 0 },
      },
      fail_on: 'critical',
      only_new: true,
    },
    '1 vulnerability is critical and new.',
  ],
  [
    {
      found: {
        ...failing,
        failing: 3,
        failing_by_rule: { fail_on: 0, fail_on_kev: 1, max_epss: 2 },
      },
    },
    '1 vulnerability is known to be exploited, 2 vulnerabilities are likely to be exploited (EPSS above the limit).',
  ],
] as const)('%#: says how many failed it', (known, expected) => {
  expect(judge({ ...sure, ...known }).reasons).toEqual([{ code: 'findings', message: expected }]);
});

test('says how many advisories could not be decided', () => {
  const coverage = {
    components: 3,
    evaluated: 2,
    undetermined: { release_unknown: 1 },
    scope: 'part' as const,
    undecided_advisories: 2,
  };
  expect(judge({ ...sure, coverage }).caveats).toEqual([
    {
      code: 'part_judged',
      message: '1 of 3 components could not be judged. 2 advisories could not be decided.',
    },
  ]);
});

test('says why the scan failed', () => {
  const scan = { status: 'failed' as const, error: 'It is too odd.' };
  const { reasons } = judge({ ...sure, scan, found: null });
  expect(reasons[0]?.message).toMatch(/^It is too odd\. Upload it again/);
});
