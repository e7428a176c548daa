import { entryOf, finding, verdictOf } from '../testing/findings';
import { failingFindings } from './failing-findings';

const kev = { date_added: '2026-01-01', due_date: null, ransomware: false };
const named = finding();

interface Case {
  what: string;
  row?: Parameters<typeof finding>[0];
  gate?: Parameters<typeof verdictOf>[1];
  fails: boolean | null;
}

test('a verdict that names all failing findings is the answer', () => {
  const rows = [named, finding()];
  const is = failingFindings(rows, { verdict: verdictOf([named]), ignored: new Map() });
  expect(rows.map(({ id }) => is(id))).toEqual([true, false]);
});

test.each<Case>([
  { what: 'at the threshold', fails: true },
  { what: 'below it', row: { severity: 'medium' }, fails: false },
  {
    what: 'of unknown severity',
    row: { severity: 'unknown' },
    gate: { fail_on: 'low' },
    fails: true,
  },
  { what: 'of unknown severity, above low', row: { severity: 'unknown' }, fails: false },
  { what: 'without severity', row: { severity: 'none' }, gate: { fail_on: 'low' }, fails: false },
  { what: 'accepted', row: { status: 'accepted' }, fails: false },
  { what: 'ignored', row: { cve_id: 'CVE-IGNORED' }, fails: false },
  { what: 'that a newer SBOM fixes', row: { status: 'fixed' }, fails: true },
  {
    what: 'without a fix',
    row: { fixed_versions: [] },
    gate: { only_fixable: true },
    fails: false,
  },
  {
    what: 'exploited',
    row: { severity: 'low', kev },
    gate: { fail_on: 'none', fail_on_kev: true },
    fails: true,
  },
  { what: 'not exploited', gate: { fail_on: 'none', fail_on_kev: true }, fails: false },
  {
    what: 'likely to be exploited',
    row: { epss_score: 0.6 },
    gate: { fail_on: 'none', max_epss: 0.5 },
    fails: true,
  },
  {
    what: 'at the limit',
    row: { epss_score: 0.5 },
    gate: { fail_on: 'none', max_epss: 0.5 },
    fails: false,
  },
  { what: 'that may be new', gate: { only_new: true }, fails: null },
  {
    what: 'below it, new or not',
    row: { severity: 'low' },
    gate: { only_new: true },
    fails: false,
  },
])('beyond the named ones, one $what is judged by the rules', ({ row, gate, fails }) => {
  const judged = finding(row);
  const ignored = new Map(
    judged.cve_id === 'CVE-IGNORED' ? [[judged.id, entryOf('CVE-IGNORED')]] : [],
  );
  const verdict = verdictOf([named], { failing_total: 101, ...gate });
  expect(failingFindings([named, judged], { verdict, ignored })(judged.id)).toBe(fails);
});
