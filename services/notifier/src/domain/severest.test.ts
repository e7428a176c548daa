import fc from 'fast-check';
import { bySeverity, severest } from './severest';

const item = fc.record({
  severity: fc.constantFrom(...(['none', 'unknown', 'low', 'medium', 'high', 'critical'] as const)),
  cvss_score: fc.option(fc.constantFrom(0, 5, 9.8)),
  cve_id: fc.constantFrom('CVE-1', 'CVE-2'),
  package_name: fc.constantFrom('a', 'b'),
  vulnerability_id: fc.uuid(),
  kev: fc.constantFrom(null, { date_added: '2026-01-01', due_date: null, ransomware: false }),
});

test('what is known to be exploited comes first, then severity, then the score, then the name; unknown is behind low', () => {
  const of = (
    severity: 'critical' | 'high' | 'low' | 'unknown',
    score: number | null,
    cve = 'A',
  ) => ({
    severity,
    cvss_score: score,
    cve_id: cve,
    package_name: 'p',
    vulnerability_id: 'v',
    kev: null,
  });
  const ordered = [
    of('critical', null),
    of('high', 8, 'A'),
    of('high', 8, 'B'),
    of('high', 7),
    of('high', null),
    of('low', 3),
    of('unknown', 10),
  ];
  const kev = { date_added: '2026-01-01', due_date: null, ransomware: false };
  const exploited = { ...of('low', 1), kev };
  const all = [exploited, ...ordered];
  expect([...all].reverse().sort(bySeverity)).toEqual(all);
});

test('page by page the same ones are kept as of all at once', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (all, page) => {
      let top: typeof all = [];
      for (let from = 0; from < all.length; from += page)
        top = severest(top, all.slice(from, from + page), 10);
      expect(top).toEqual([...all].sort(bySeverity).slice(0, 10));
    }),
  );
});
