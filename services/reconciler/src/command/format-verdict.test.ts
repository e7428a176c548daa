import type { Verdict } from '../verification/verify-services';
import { formatTotals, formatVerdict, formatVerdictAsJson } from './format-verdict';

const names = {
  project_id: 'p-1',
  project_slug: 'web-shop',
  project_name: 'Web\u001b[2J Shop',
  service_id: 'l-1',
  service_name: 'checkout',
};
const verdict: Verdict = {
  service: { service_id: 'l-1', project_id: 'p-1', names },
  differences: [
    {
      kind: 'vulnerability-differs',
      id: 'r-1',
      about: 'npm|lodash CVE-1',
      stored: 'status fixed',
      expected: 'status open',
    },
  ],
  undecided: [],
  repair: null,
};
const lines =
  'Web?[2J Shop / checkout (l-1): vulnerability-differs: npm|lodash CVE-1 (r-1) is stored as: status fixed; should be: status open';

describe('What was found out about a service', () => {
  test('is one service for each difference: where, what, what is stored, what it should be', () => {
    expect(formatVerdict(verdict)).toEqual([lines]);
  });

  test('says what a repair did, and what is left after it', () => {
    const repaired = formatVerdict({ ...verdict, repair: { did: 'recomputed', left: [] } });
    expect(repaired).toEqual([lines, expect.stringContaining('repaired: recomputed')]);
    const { differences: left } = verdict;
    const failed = formatVerdict({ ...verdict, repair: { did: 'recomputed', left } });
    expect(failed[1]).toContain('not repaired: 1 difference left');
    expect(failed[2]).toContain('still vulnerability-differs');
    const final = formatVerdict({ ...verdict, repair: { did: 'deleted', left } });
    expect(final[1]).toContain('not repaired: it was deleted here, for good');
  });

  test('says why it could not be judged', () => {
    const [service] = formatVerdict({ ...verdict, undecided: ['a re-scan is pending'] });
    expect(service).toContain(
      'undecided: 1 difference, but a re-scan is pending; run this again later',
    );
  });

  test('names what the catalog does not know by its ids, and what is of all by that', () => {
    const unknown = { service_id: 'l-1', project_id: '', names: null };
    expect(formatVerdict({ ...verdict, service: unknown })[0]).toContain(
      'unknown service of project unknown (l-1): ',
    );
    expect(formatVerdict({ ...verdict, service: null })[0]).toContain('all services: ');
  });

  test('is one JSON object a difference for scripts', () => {
    const [service = ''] = formatVerdictAsJson({ ...verdict, undecided: ['a re-scan is pending'] });
    expect(JSON.parse(service)).toMatchObject({
      type: 'difference',
      service_id: 'l-1',
      kind: 'vulnerability-differs',
      id: 'r-1',
      state: 'undecided',
      undecided: ['a re-scan is pending'],
      repair: null,
    });
  });
});

test('the totals are one service', () => {
  const totals = { services: 12, differing: 0, differences: 0, repaired: 0, undecided: 0 };
  expect(formatTotals(totals)).toBe('12 services checked: nothing differs.');
  const wrong = { ...totals, services: 1, differing: 1, differences: 2, repaired: 1, undecided: 3 };
  expect(formatTotals(wrong)).toBe(
    '1 service checked: 2 differences in 1 service, 1 repaired, 3 undecided.',
  );
});
