import type { AlertPeriodView } from '@bomtrail/messages';
import { periodKeys, reasonsKey, reasonsOf, riskKey, type ReportingRule } from './alert-reasons';

const rule: ReportingRule = {
  _id: 'rule',
  severity_threshold: 'high',
  by_severity: true,
  kev: true,
  min_epss: 0.5,
};
const opened = '2026-01-01T00:00:00.000Z';
const raised = '2026-02-01T00:00:00.000Z';
const known = '2026-03-01T00:00:00.000Z';

const period = (values: Partial<AlertPeriodView>): AlertPeriodView => ({
  vulnerability_id: 'v',
  service_id: 's',
  period_start: raised,
  notified_by: [raised],
  reaches_threshold: true,
  open_since: opened,
  kev: null,
  exploited_known_at: null,
  epss_score: null,
  severity: 'high',
  cvss_score: null,
  cve_id: 'CVE-2026-1000',
  title: '',
  package_name: 'a',
  package_version: '1',
  ecosystem: 'npm',
  fixed_versions: [],
  first_seen_at: opened,
  ...values,
});
const kev = { date_added: '2026-02-27', due_date: null, ransomware: false };
const exploited = period({ kev, exploited_known_at: known });

test.each([
  [{}, { by_severity: true, kev: false, min_epss: null }],
  [
    { by_severity: false, kev: true, min_epss: 0 },
    { by_severity: false, kev: true, min_epss: 0 },
  ],
  [
    { by_severity: null, kev: 'yes', min_epss: '0.1' },
    { by_severity: true, kev: false, min_epss: null },
  ],
])('AL5 the reasons of the config %j', (config, reasons) => {
  expect(reasonsOf(config)).toEqual(reasons);
});

test('AL6 each reason has an alert period of its own', () => {
  const all = { ...exploited, epss_score: 0.5 };
  expect(periodKeys(rule, all)).toEqual({
    required: [
      { anyOf: [`rule:v:${raised}`], since: raised },
      { anyOf: [`rule:v:${opened}+kev`], since: known },
      { anyOf: [`rule:v:${opened}+epss`], since: opened },
    ],
    recorded: [`rule:v:${raised}`, `rule:v:${opened}+kev`, `rule:v:${opened}+epss`],
  });
});

test('AL6 a period of KEV is not older than the time since which the vulnerability is open', () => {
  const later = { ...exploited, open_since: '2026-05-01T00:00:00.000Z' };
  const since = periodKeys({ ...rule, by_severity: false }, later).required.at(-1)?.since;
  expect(since).toBe('2026-05-01T00:00:00.000Z');
});

test('AL5 below the threshold and its bound a rule has no reason, without kev neither', () => {
  const below = period({ reaches_threshold: false, epss_score: 0.4999 });
  expect(periodKeys(rule, below)).toEqual({ required: [], recorded: [] });
  const { required, recorded } = periodKeys(
    { ...rule, kev: false },
    { ...exploited, reaches_threshold: false },
  );
  expect([required, recorded]).toEqual([[], [`rule:v:${opened}+kev`]]);
});

test('marks are of the reasons, and of the values that these depend on', () => {
  const keyOf = (one: Partial<ReportingRule>) => reasonsKey({ ...rule, ...one });
  const keys = [
    keyOf({}),
    keyOf({ kev: false }),
    keyOf({ min_epss: null }),
    keyOf({ min_epss: 0.6 }),
    keyOf({ by_severity: false }),
    keyOf({ severity_threshold: 'low' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  const values = { kev: 3, epss: 7 };
  expect(riskKey(rule, values)).toBe('k3e7');
  expect(riskKey({ ...rule, min_epss: null }, values)).toBe('k3');
  expect(riskKey({ ...rule, kev: false, min_epss: null }, values)).toBe('');
});
