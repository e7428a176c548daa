import fc from 'fast-check';
import { LICENCE_IDS } from './licence-list';
import { createLicenceJudge, type LicencePolicy } from './licence-policy';

const at = new Date('2026-06-01T00:00:00.000Z');
const noAgpl: LicencePolicy = {
  groups: { network_copyleft: 'deny', strong_copyleft: 'warn' },
  licenses: [
    { license: 'BUSL-1.1', action: 'deny' },
    { license: 'gpl-2.0', action: 'allow' },
    { license: 'Acme Commercial', action: 'allow' },
  ],
};

function judged(license: string | null, policy = noAgpl, purl: string | null = 'pkg:npm/a@1.0.0') {
  const { outcome, rule } = createLicenceJudge(policy, at)({ purl, version: '1.0.0', license });
  return `${outcome} by ${rule}`;
}

test.each<[string | null, string]>([
  ['MIT', 'allow by group'],
  ['AGPL-3.0', 'deny by group'],
  ['AGPL-3.0-or-later', 'deny by group'],
  ['GPL-3.0-only', 'warn by group'],
  ['GPL-2.0', 'allow by license'],
  ['GPL-2.0-only', 'allow by license'],
  ['GPL-2.0-only WITH Classpath-exception-2.0', 'allow by group'],
  ['BUSL-1.1', 'deny by license'],
  ['MIT OR AGPL-3.0-only', 'allow by group'],
  ['MIT AND AGPL-3.0-only', 'deny by group'],
  ['(GPL-3.0-only OR AGPL-3.0-only) AND MIT', 'warn by group'],
  ['LicenseRef-own', 'unknown by unknown'],
  ['LicenseRef-own OR MIT', 'allow by group'],
  ['LicenseRef-own OR AGPL-3.0-only', 'unknown by unknown'],
  ['LicenseRef-own AND MIT', 'unknown by unknown'],
  ['LicenseRef-own AND AGPL-3.0-only', 'deny by group'],
  ['Apache License 2.0', 'unknown by unknown'],
  ['Apache License (2.0) AND AGPL-3.0-only', 'deny by group'],
  ['AGPL-3.0-only AND NOASSERTION', 'deny by group'],
  ['acme commercial AND MIT', 'allow by group'],
  ['Other Commercial AND MIT', 'unknown by unknown'],
  ['(Other Commercial OR AGPL-3.0-only) AND MIT', 'unknown by unknown'],
  ['Other Commercial OR AGPL-3.0-only AND MIT', 'unknown by unknown'],
  ['Other (AGPL-3.0-only AND MIT)', 'unknown by unknown'],
  ['Other Commercial and AGPL-3.0-only', 'deny by group'],
  ['(Other Commercial AND AGPL-3.0-only)', 'deny by group'],
  ['MIT AND ((Other Commercial AND AGPL-3.0-only) AND ISC)', 'deny by group'],
  ['MIT AND (Other Commercial OR AGPL-3.0-only)', 'unknown by unknown'],
  ['Other (licence AND AGPL-3.0-only', 'deny by group'],
  ['a) Other licence AND AGPL-3.0-only', 'deny by group'],
  ['a) Other licence OR AGPL-3.0-only AND MIT', 'unknown by unknown'],
  [`${'('.repeat(60)}Other AND AGPL-3.0-only${')'.repeat(60)}`, 'deny by group'],
  [' acme COMMERCIAL', 'allow by license'],
  [null, 'unknown by unknown'],
])('LP1, LP2, LP3: %s is %s', (license, expected) => {
  expect(judged(license)).toBe(expected);
});

test('LP1: of two rules about one licence the stricter one counts, whichever comes first', () => {
  const licenses = [
    { license: 'GPL-3.0', action: 'deny' },
    { license: 'GPL-3.0-only', action: 'allow' },
  ] as const;
  const both = [{ licenses }, { licenses: licenses.toReversed() }];
  expect(both.map((policy) => judged('GPL-3.0-only', policy))).toEqual([
    'deny by license',
    'deny by license',
  ]);
});

test.each<[string, string]>([
  ['(GPL-3.0-only OR "Own text")', 'deny by license'],
  ['(Own  TEXT or BUSL-1.1) AND MIT', 'deny by license'],
  ['(Own text)', 'deny by license'],
  ['MIT AND (ISC AND (Own text OR AGPL-3.0-only))', 'deny by license'],
  ['Own text OR MIT', 'allow by group'],
  ['Own text OR LGPL-3.0-only', 'warn by license'],
  ['MIT or whatever the author says', 'unknown by unknown'],
  ['Own text OR (MIT OR Other text)', 'unknown by unknown'],
])('LP2: %s, a choice of a text that a rule names, is %s', (license, expected) => {
  const licenses = [
    { license: 'own text', action: 'deny' },
    { license: '"own text"', action: 'deny' },
    { license: 'GPL-3.0-only', action: 'deny' },
    { license: 'BUSL-1.1', action: 'deny' },
    { license: 'LGPL-3.0-only', action: 'warn' },
  ] as const;
  expect(judged(license, { ...noAgpl, licenses })).toBe(expected);
});

test('a text of many choices within each other is unknown, not an error', () => {
  const deep = `${'(own OR '.repeat(7000)}text${')'.repeat(7000)}`;
  expect(judged(deep)).toBe('unknown by unknown');
});

test('LP3: unknown licences are denied by a policy that says so, and never allowed', () => {
  const strict: LicencePolicy = { ...noAgpl, unknown: 'deny' };
  expect([judged(null, strict), judged('MIT', strict)]).toEqual([
    'deny by unknown',
    'allow by group',
  ]);
  expect(judged(null, {})).toBe('unknown by unknown');
});

describe('LP4: an exception', () => {
  const policy = (exception: object): LicencePolicy => ({
    ...noAgpl,
    exceptions: [{ purl: 'pkg:npm/a', ...exception }],
  });
  test.each<[string, object, string]>([
    ['applies to every version of its package', {}, 'allow by exception'],
    ['applies to its version', { purl: 'pkg:npm/a@1.0.0' }, 'allow by exception'],
    ['does not apply to another version', { purl: 'pkg:npm/a@2.0.0' }, 'deny by group'],
    ['does not apply to another package', { purl: 'pkg:npm/b' }, 'deny by group'],
    ['applies to its licence', { license: 'AGPL-3.0' }, 'allow by exception'],
    ['ends when the licence changes', { license: 'MIT' }, 'deny by group'],
    ['applies until it expires', { expires_at: '2026-06-01T00:00:00.001Z' }, 'allow by exception'],
    ['has expired', { expires_at: '2026-06-01T00:00:00.000Z' }, 'deny by group'],
  ])('%s', (_what, exception, expected) => {
    expect(judged('AGPL-3.0-only', policy(exception))).toBe(expected);
  });

  test('is not used for what is allowed, nor for a component without purl', () => {
    expect(judged('MIT', policy({}))).toBe('allow by group');
    expect(judged('AGPL-3.0-only', policy({}), null)).toBe('deny by group');
  });
});

test('more to choose from is never worse, more that applies is never better', () => {
  const rank = ['allow', 'warn', 'unknown', 'deny'];
  const judge = createLicenceJudge(noAgpl, at);
  const rankOf = (license: string) =>
    rank.indexOf(judge({ purl: null, version: '', license }).outcome);
  const id = fc.constantFrom(...LICENCE_IDS);
  fc.assert(
    fc.property(id, id, (one, other) => {
      const alone = [rankOf(one), rankOf(other)];
      expect(rankOf(`${one} OR ${other}`)).toBe(Math.min(...alone));
      expect(rankOf(`${one} AND ${other}`)).toBe(Math.max(...alone));
    }),
  );
});
