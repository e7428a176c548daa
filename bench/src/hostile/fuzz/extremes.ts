import type { Json } from './locations';

/** Valid JSON text that may break a reader. */
export const texts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u202e\u2066',
  'e\u0301\u{1f600}',
  '__proto__',
  'constructor',
  'NaN',
  '$where',
  'a.b.$c',
  '../../etc/passwd',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '\r\n\r\n',
  '%00%zz%ff',
  'x'.repeat(70_000),
  '\u{1f600}'.repeat(20_000),
  '('.repeat(5_000),
];

export const purls: readonly string[] = [
  'pkg:',
  'pkg:/',
  'pkg:npm',
  'pkg:npm/%zz@1',
  'pkg:npm/%00@%00',
  'pkg:npm/lodash@',
  'pkg:npm/lodash@4.17.15?%00=%00',
  'pkg:npm/@@@@@1',
  'pkg:npm/%40a%2fb%2fc@1',
  'pkg:__proto__/a@1',
  'pkg:npm/__proto__@1.0.0',
  'pkg:golang/github.com/%2e%2e/x@v1.0.0',
  'pkg:deb/debian/openssl@1:1.1.1~~~-1?arch=source&distro=__proto__',
  'pkg:rpm/redhat/a@99999999999999999999999:1-1?epoch=-1',
  'pkg:maven/a/b@[1,2)',
  `pkg:pypi/${'a-_.'.repeat(10_000)}@1`,
  `pkg:npm/a@${'1.'.repeat(10_000)}0`,
  `pkg:npm/a@1?${'k=v&'.repeat(5_000)}`,
  `pkg:golang/${'a/'.repeat(5_000)}b@v1#${'c/'.repeat(5_000)}`,
  'pkg:npm/\ud800@1',
];

export const versions: readonly string[] = [
  '999999999999999999999999999999',
  '-1',
  '1.0.0-0.0.0-0',
  'v0.0.0-99999999999999-000000000000',
  '1!2.3.post4.dev5+local',
  '1:2-3~4^5',
  '0x10',
  '1e400',
  '1.' + '0.'.repeat(30_000),
  '(a+)+$',
  '１.２.３',
];

export const dates: readonly string[] = [
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '2026-02-30',
  'yesterday',
];

/** Numbers as they stand in a document: most are no finite double, or not exactly one. */
export const numbers: readonly string[] = [
  '9007199254740993',
  '123456789012345678901234567890',
  '1e400',
  '-1e400',
  '1e-400',
  '-0',
  '0.1',
  '-1',
  `1${'0'.repeat(5_000)}`,
];

/** One value of each kind. */
export const kinds: readonly Json[] = [null, true, 0, -1.5, '', 'x', [], {}, [[]], [{}], { a: [] }];
