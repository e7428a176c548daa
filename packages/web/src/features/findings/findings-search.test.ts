import fc from 'fast-check';
import { parseSearch, stringifySearch } from '../../app/search-params';
import {
  groupQueryOf,
  parseFindingsSearch,
  queryOf,
  sortedBy,
  sorts,
  statuses,
  toggled,
} from './findings-search';
import { severities } from '../../components/severity-order';

const id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';

test('an empty address is what is open, by risk', () => {
  expect(parseFindingsSearch({})).toEqual({});
  expect(queryOf({})).toEqual({ status: 'open', sort: 'risk', order: 'desc' });
});

test.each([
  [{ severity: 'HIGH,critical,high,odd' }, { severity: 'critical,high' }],
  [{ project_id: 'not-an-id', service_id: id }, { service_id: id }],
  [{ sort: 'danger', order: 'up' }, {}],
  [{ cve_id: '  CVE-2021-44228 ' }, { cve_id: 'CVE-2021-44228' }],
  [{ decision: 'in_triage', assignee: 'Ann' }, { decision: 'in_triage' }],
  [{ decision: 'accepted' }, {}],
  [
    { overdue: 'true', detected_since: '2026-02-28' },
    { overdue: 'true', detected_since: '2026-02-28' },
  ],
  [{ overdue: 'yes', detected_since: '2026-02-30' }, {}],
  [{ detected_since: 'yesterday' }, {}],
  [
    { owner: ' A ', label: 'pci,,eu' },
    { owner: 'A', label: 'pci,eu' },
  ],
  [{ has_owner: 'false', owner: '' }, { has_owner: 'false' }],
  [{ has_owner: 'none' }, {}],
  [{ status: 'fixed,open' }, { status: 'open,fixed' }],
  [
    { group: 'package', kev: 'no', min_epss: '0.10' },
    { group: 'package', min_epss: '0.1' },
  ],
  [{ min_epss: '2', ecosystem: 'Sanskrit', is_direct: 'false' }, { is_direct: 'false' }],
])('of %j is taken what the API knows', (given, expected) => {
  expect(parseFindingsSearch(given)).toEqual(expected);
});

test('what nobody is responsible for is asked for in lists, summaries and groups', () => {
  expect(queryOf({ has_owner: 'false' })).toMatchObject({ has_owner: false });
  expect(groupQueryOf({ has_owner: 'false' }, 'service')).toMatchObject({ has_owner: false });
});

test('a day is a time for the API', () => {
  expect(queryOf({ detected_since: '2026-02-28', overdue: 'false' })).toMatchObject({
    detected_since: '2026-02-28T00:00:00Z',
    overdue: false,
  });
});

test('a view survives being an address, whatever it is', () => {
  const subset = <T extends string>(words: readonly T[]) =>
    fc.subarray([...words]).map((chosen) => chosen.join(','));
  const view = fc
    .record({
      status: subset(statuses),
      severity: subset(severities),
      cve_id: fc.string({ maxLength: 40 }),
      sort: fc.constantFrom(...sorts),
      order: fc.constantFrom('asc', 'desc'),
      finding: fc.constant(id),
    })
    .map(parseFindingsSearch);
  fc.assert(
    fc.property(view, (one) => {
      expect(parseFindingsSearch(parseSearch(stringifySearch({ ...one })))).toEqual(one);
    }),
  );
});

test('a heading sorts by its column, again turns the order, and again turns it back', () => {
  const first = sortedBy({}, 'epss_score');
  expect(first).toEqual({ sort: 'epss_score' });
  const second = sortedBy(first, 'epss_score');
  expect(second).toEqual({ sort: 'epss_score', order: 'asc' });
  expect(sortedBy(second, 'epss_score')).toEqual(first);
  expect(sortedBy(second, 'package_name')).toEqual({ sort: 'package_name', order: 'asc' });
});

test('a word is added and taken away', () => {
  expect(toggled(['high'], 'low')).toBe('high,low');
  expect(toggled(['high', 'low'], 'high')).toBe('low');
});
