import { alertChannels, alertThresholds, reminderKinds, type AlertItem } from '@bomtrail/messages';
import fc from 'fast-check';
import { oneService } from '../channels/text/free-text';
import { namedInDigest, namedReminders, type Digest } from '../domain/digest';

/** Texts that would do something in one channel or another. */
export const hostileTexts = [
  '<!channel> <!here> <@U012AB3CD> <#C024BE7LR> <!subteam^SAZ94GDB8>',
  '<https://evil.example|Click here to fix>',
  '&lt;!channel&gt; &amp;',
  '@everyone @here <@123456789012345678> <@&123456789012345678> <#123456789012345678>',
  '[fixed](https://evil.example) https://evil.example <https://evil.example>',
  '**bold** __under__ ~~gone~~ ||spoiler|| `code` ```block``` *it* _it_',
  '# heading',
  '-# small',
  '- item',
  '1. item',
  '> quote',
  '>>> quote',
  ':smile: <:emoji:123456789012345678> <a:emoji:123456789012345678> <t:1618953630:R> </cmd:123456789012345678>',
  '{{DATE(2026-03-01T00:00:00Z,SHORT)}} {{{TIME(x)}}} <at>everyone</at>',
  '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>',
  "\"><b>' onmouseover='x",
  '<!-- --> ]]> <style>*{display:none}</style> </td></table></body>',
  'x\r\nBcc: victim@evil.example\r\n\r\nbody',
  'x\nSubject: other\n',
  '=?utf-8?Q?=0D=0ABcc:_victim=40evil.example?=',
  'www.evil.example mailto:x@evil.example user@evil.example',
  '\u202egnp.exe\u2066 \u200b\u2060\ufeff\u0007\u001b[31m\u0000',
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a',
  '\ud800 lone \udc00 \uffff',
  '\\ \\* \\\\<@1> \\',
  '...',
  '👨‍👩‍👧‍👦'.repeat(50),
  '&'.repeat(1500),
  '*'.repeat(1500),
  'long '.repeat(500),
  ' ',
  '',
];

const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 400 })
  .map((units) => String.fromCharCode(...units));

/** Any text at all: valid or not, empty or far too long, harmless or meant to do harm. */
export const anyText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc
    .tuple(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...hostileTexts))
    .map(([before, after]) => before + after),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(...'<>&*_~`|\\[]()@:#-+.!\r\n" \'/=?'), maxLength: 400 }),
  codeUnits,
);

const severities = ['critical', 'high', 'medium', 'low', 'unknown', 'none'] as const;

const anyItem: fc.Arbitrary<AlertItem> = fc.record({
  vulnerability_id: fc.uuid(),
  severity: fc.constantFrom(...severities),
  cvss_score: fc.option(fc.double({ min: 0, max: 10, noNaN: true })),
  cve_id: anyText,
  title: anyText,
  package_name: anyText,
  package_version: anyText,
  fixed_versions: fc.array(anyText, { maxLength: 6 }),
  service_name: anyText,
  kev: fc.option(
    fc.record({
      date_added: fc.constant('2021-12-10'),
      due_date: fc.option(fc.constant('2021-12-24')),
      ransomware: fc.boolean(),
    }),
  ),
  reporting_deadlines: fc.constant(null),
  epss_score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
});

const anyReminders = fc.record({
  total: fc.integer({ min: namedReminders, max: 1_000 }),
  first: fc.array(
    fc.record({
      kind: fc.constantFrom(...reminderKinds),
      at: fc.constantFrom('2026-02-01T09:30:00.000Z', '2026-03-08T09:30:00.000Z'),
      subject: anyText,
      about: anyText,
      severity: fc.option(fc.constantFrom(...severities)),
    }),
    { minLength: 1, maxLength: namedReminders },
  ),
});

/** A digest whose texts that are not ours are any at all. */
export const anyDigest: fc.Arbitrary<Digest> = fc.record({
  kind: fc.constantFrom('alert', 'test'),
  rule: fc.record({
    id: fc.uuid(),
    threshold: fc.constantFrom(...alertThresholds),
    channel: fc.constantFrom(...alertChannels),
    by_severity: fc.boolean(),
    kev: fc.boolean(),
    min_epss: fc.option(fc.constantFrom(0, 0.1, 1)),
  }),
  project: fc.record({ id: fc.uuid(), name: anyText }),
  at: fc.constant('2026-03-01T09:30:00.000Z'),
  total: fc.integer({ min: namedInDigest, max: 1_000_000 }),
  counts: fc.dictionary(fc.constantFrom(...severities), fc.integer({ min: 0, max: 1_000_000 }), {
    noNullPrototype: true,
  }),
  top: fc.array(anyItem, { maxLength: namedInDigest }),
  reminders: anyReminders,
  key: fc.uuid(),
  link: fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true })),
});

/** The same digest with harmless texts: what is made of both has the same form. */
export function harmless(digest: Digest): Digest {
  return {
    ...digest,
    project: { ...digest.project, name: 'payments' },
    ...(digest.reminders && {
      reminders: {
        ...digest.reminders,
        first: digest.reminders.first.map((one) => ({
          ...one,
          subject: 'CI',
          about: oneService(one.about, 1) === '' ? '' : 'about',
        })),
      },
    }),
    top: digest.top.map((item) => ({
      ...item,
      cve_id: 'CVE-2021-44228',
      title: oneService(item.title, 1) === '' ? '' : 'title',
      package_name: 'log4j-core',
      package_version: '2.14.1',
      fixed_versions: item.fixed_versions.map(() => '2.15.0'),
      service_name: 'payments-api',
    })),
  };
}
