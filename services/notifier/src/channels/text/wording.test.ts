import { anyDigest } from '../../testing/digests';
import { exampleDigest } from '../../testing/example-digest';
import fc from 'fast-check';
import { plainText } from './plain-text';
import { moreThan, wordingOf } from './wording';

const digest = exampleDigest();

test('a message counts by severity, the most severe first', () => {
  expect(wordingOf(digest)).toMatchObject({
    headline: '14 new vulnerabilities in Payments',
    counts: '3 critical, 9 high, 2 unknown',
  });
  const one = { ...digest, total: 1, counts: { low: 1, critical: 0 } };
  expect(wordingOf(one)).toMatchObject({
    headline: '1 new vulnerability in Payments',
    counts: '1 low',
  });
});

test('a test is marked as such at the beginning', () => {
  expect(wordingOf({ ...digest, kind: 'test' }).headline).toMatch(/^Test: /);
});

test('a vulnerability has score, package, version and up to three fixes', () => {
  const [first] = digest.top;
  const [words] = wordingOf(digest).items;
  expect(words).toEqual({
    severity: 'CRITICAL 10.0',
    id: 'CVE-2021-44228',
    title: first?.title,
    package: 'org.apache.logging.log4j:log4j-core 2.14.1',
    fix: 'fixed in 2.3.1, 2.12.2, 2.15.0 and 1 more',
    service: 'payments-api',
    risk:
      'known to be exploited since 2021-12-10, fix due 2021-12-24; reports due: early warning 2021-12-11 09:30 UTC, ' +
      'notification 2021-12-13 09:30 UTC, final report 2021-12-24 09:30 UTC',
  });
});

test('AL5 a message says for what it was sent, and how likely something is if the rule asks for that', () => {
  const rule = { ...digest.rule, by_severity: false, kev: true, min_epss: 0.25 };
  const top = [{ ...digest.top[1]!, epss_score: 0.97 }];
  const words = wordingOf({ ...digest, rule, top });
  expect(words.why).toBe(
    `From alert rule ${rule.id}: known to be exploited, or EPSS of 0.25 or more, not reported before.`,
  );
  expect(words.items[0]?.risk).toBe('EPSS 0.970');
});

test('a missing fix, score, title or name is stated', () => {
  const bare = { cvss_score: null, title: '\n', package_name: ' ', fixed_versions: [] };
  const item = { ...digest.top[0]!, ...bare };
  expect(wordingOf({ ...digest, top: [item] }).items).toMatchObject([
    { severity: 'CRITICAL', title: '', package: '(no name) 2.14.1', fix: 'no fix known' },
  ]);
});

test('what is not named is counted', () => {
  expect(moreThan(10, 10)).toBeUndefined();
  expect(moreThan(10, 14)).toBe('and 4 more');
});

test.each([
  ['https://a.example/x?y=1&z=(2)#[3]', 'https://a.example/x?y=1&z=%282%29#%5B3%5D'],
  ['https://[::1]:8080/x|y', 'https://[::1]:8080/x%7Cy'],
  ['javascript:alert(1)', null],
  ['no address', null],
])('of the link %s a message shows %s', (link, shown) => {
  expect(wordingOf({ ...digest, link }).link).toBe(shown);
});

test('plain text has the same number of lines for any untrusted texts', () => {
  fc.assert(
    fc.property(anyDigest, (any) => {
      const lines = plainText(any).split('\n');
      const titles = wordingOf(any).items.filter(({ title }) => title !== '').length;
      const more = any.total > any.top.length ? 2 : 0;
      const risks = wordingOf(any).items.filter(({ risk }) => risk !== '').length;
      const counts = wordingOf(any).counts === '' ? 0 : 1;
      const link = wordingOf(any).link === null ? 0 : 2;
      expect(lines).toHaveLength(3 + counts + 4 * any.top.length + titles + risks + more + link);
      expect(lines.filter((line) => /https?:\/\//.test(line))).toHaveLength(link / 2);
    }),
  );
});
