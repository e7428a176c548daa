import type { AlertReminder } from '@bomtrail/messages';
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
    `From alert rule ${rule.id}: known to be exploited, or EPSS of 0.25 or more; reported once for as long as that is so.`,
  );
  expect(words.items[0]?.risk).toBe('EPSS 0.970');
});

test('AL12 a rule that only reminds says so', () => {
  const rule = { ...digest.rule, by_severity: false, kev: false };
  expect(wordingOf({ ...digest, rule }).why).toBe(`From alert rule ${rule.id}: reminders only.`);
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

const ending = { at: '2026-03-08T09:30:00.000Z', about: '', severity: null };

test.each<[AlertReminder, string]>([
  [
    {
      kind: 'decision',
      at: '2026-03-08T09:30:00.000Z',
      subject: 'CVE-1',
      about: 'ws',
      severity: null,
    },
    'The decision about CVE-1 in ws ends on 2026-03-08 09:30 UTC.',
  ],
  [
    {
      kind: 'service_level',
      at: '2026-03-08T09:30:00.000Z',
      subject: 'CVE-1',
      about: 'ws 1.0.0',
      severity: 'high',
    },
    'CVE-1 in ws 1.0.0 (high) is to be fixed by 2026-03-08 09:30 UTC.',
  ],
  [
    {
      kind: 'service_level',
      at: '2026-02-08T09:30:00.000Z',
      subject: 'CVE-1',
      about: 'ws 1.0.0',
      severity: 'high',
    },
    'CVE-1 in ws 1.0.0 (high) was to be fixed by 2026-02-08 09:30 UTC.',
  ],
  [
    {
      kind: 'api_key',
      at: '2026-03-08T09:30:00.000Z',
      subject: 'CI',
      about: 'bt_abc',
      severity: null,
    },
    'The API key CI (bt_abc) runs out on 2026-03-08 09:30 UTC.',
  ],
  [
    { kind: 'feed', at: '2026-02-01T09:30:00.000Z', subject: 'npm', about: '', severity: null },
    'The advisories of npm are stale: nothing newer than 2026-02-01 09:30 UTC was loaded.',
  ],
  [
    { ...ending, kind: 'bulk_decision', subject: 'Not shipped.' },
    'The decisions made together for the reason “Not shipped.” end on 2026-03-08 09:30 UTC.',
  ],
  [
    { ...ending, kind: 'decision_rule', subject: 'Test tools' },
    'The standing rule Test tools ends on 2026-03-08 09:30 UTC.',
  ],
  [
    { ...ending, kind: 'risk_feed', subject: 'EPSS' },
    'The values of EPSS are stale: nothing newer than 2026-03-08 09:30 UTC was loaded.',
  ],
  [
    { ...ending, kind: 'vex_source', subject: 'https://vendor.example/csaf' },
    'The VEX documents of https://vendor.example/csaf could not be read since 2026-03-08 09:30 UTC.',
  ],
  [
    { ...ending, kind: 'risk_feed', subject: 'KEV', about: 'never read' },
    'The values of KEV were never read; the last attempt was on 2026-03-08 09:30 UTC.',
  ],
  [
    { ...ending, kind: 'vex_source', subject: '/vex', about: 'never read' },
    'The VEX documents of /vex were never read; the last attempt was on 2026-03-08 09:30 UTC.',
  ],
])('AL12, AL13: a reminder is one sentence', (reminder, sentence) => {
  const alone = { total: 0, counts: {}, top: [], reminders: { total: 1, first: [reminder] } };
  const words = wordingOf({ ...digest, at: '2026-03-01T09:30:00.000Z', ...alone });
  expect(words.headline).toBe('1 reminder in Payments');
  expect(words.reminders).toEqual([sentence]);
  const many = { total: 12, first: [reminder] };
  const both = wordingOf({ ...digest, reminders: many });
  expect(both.headline).toBe('14 new vulnerabilities in Payments');
  expect(both.reminders[1]).toBe('and 11 more reminders');
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
      const reminders = wordingOf(any).reminders.length;
      const reminded = reminders === 0 ? 0 : reminders + 1;
      expect(lines).toHaveLength(
        3 + counts + 4 * any.top.length + titles + risks + more + reminded + link,
      );
      expect(lines.filter((line) => /https?:\/\//.test(line))).toHaveLength(link / 2);
    }),
  );
});
