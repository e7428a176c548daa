import fc from 'fast-check';
import { cvesOf, riskValues } from './risk-values';

const never = { exploited_known_at: null };
const kev = (date_added: string, ransomware = false) => ({
  date_added,
  due_date: null,
  ransomware,
});
const nothing = { score_sort: null, has_fix: true };

test('RK1 the highest score of the CVEs counts, with its percentile', () => {
  const scores = [
    { cve: 'CVE-2021-0001', epss: { score: 0.1, percentile: 0.9 }, kev: null, ...never },
    { cve: 'CVE-2021-0002', epss: { score: 0.4, percentile: 0.95 }, kev: null, ...never },
    { cve: 'CVE-2021-0003', epss: null, kev: null, ...never },
  ];
  expect(riskValues(nothing, scores)).toMatchObject({ epss_score: 0.4, epss_percentile: 0.95 });
});

test('RK2 it is exploited since the earliest date, by ransomware if one entry says so', () => {
  const scores = [
    { cve: 'CVE-2021-0001', epss: null, kev: kev('2023-01-01', true), ...never },
    { cve: 'CVE-2021-0002', epss: null, kev: kev('2022-01-01'), ...never },
  ];
  expect(riskValues(nothing, scores).kev).toEqual(kev('2022-01-01', true));
});

test('RK5 it is known here since the first entry of a CVE that is still listed', () => {
  const known = (cve: string, day: string, isListed: boolean) => ({
    cve,
    epss: null,
    kev: isListed ? kev('2022-01-01') : null,
    exploited_known_at: `${day}T08:00:00.000Z`,
  });
  const scores = [
    known('CVE-2021-0001', '2026-02-01', false),
    known('CVE-2021-0002', '2026-05-01', true),
    known('CVE-2021-0003', '2026-04-01', true),
  ];
  const values = riskValues(nothing, scores);
  expect(values.exploited_known_at).toEqual(new Date('2026-04-01T08:00:00.000Z'));
  expect(riskValues(nothing, scores.slice(0, 1)).exploited_known_at).toBeNull();
});

test.each([
  [
    'nothing is known',
    { facts: { score_sort: null, has_fix: true }, epss: null, exploited: false },
    null,
  ],
  ['the worst', { facts: { score_sort: 10, has_fix: true }, epss: 1, exploited: true }, 100],
  [
    'severity alone',
    { facts: { score_sort: 7.5, has_fix: false }, epss: null, exploited: false },
    30,
  ],
  ['a low EPSS', { facts: { score_sort: 5, has_fix: true }, epss: 0.01, exploited: false }, 35],
  [
    'KEV without severity',
    { facts: { score_sort: null, has_fix: false }, epss: 0.2, exploited: true },
    50,
  ],
])('RK3 %s', (_name, { facts, epss: score, exploited }, risk) => {
  const epss = score === null ? null : { score, percentile: 0.5 };
  const entry = exploited ? kev('2022-01-01') : null;
  const scores = [{ cve: 'CVE-2021-0001', epss, kev: entry, ...never }];
  expect(riskValues(facts, scores).risk).toBe(risk);
});

test('RK3 more of anything is never less risk, and risk is from 0 to 100', () => {
  const given = fc.record({
    score_sort: fc.double({ min: 0, max: 10, noNaN: true }),
    has_fix: fc.boolean(),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    exploited: fc.boolean(),
  });
  const risk = (one: { score_sort: number; has_fix: boolean; score: number; exploited: boolean }) =>
    riskValues(one, [
      {
        cve: 'CVE-2021-0001',
        epss: { score: one.score, percentile: 0 },
        kev: one.exploited ? kev('2022-01-01') : null,
        ...never,
      },
    ]).risk as number;
  fc.assert(
    fc.property(given, given, (a, b) => {
      const worse = {
        score_sort: Math.max(a.score_sort, b.score_sort),
        has_fix: a.has_fix || b.has_fix,
        score: Math.max(a.score, b.score),
        exploited: a.exploited || b.exploited,
      };
      expect(risk(worse)).toBeGreaterThanOrEqual(risk(a));
      expect(risk(worse)).toBeLessThanOrEqual(100);
      expect(risk(a)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('only CVEs are asked for', () => {
  expect(cvesOf(['CVE-2021-44228', 'GHSA-JFH8-C2JP-5V3Q', 'CVE-X', 'GO-2022-1'])).toEqual([
    'CVE-2021-44228',
  ]);
});
