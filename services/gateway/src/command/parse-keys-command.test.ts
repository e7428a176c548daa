import { parseKeysCommand } from './parse-keys-command';

const now = new Date('2026-03-02T09:15:00.000Z');
const parse = (...args: string[]) => parseKeysCommand(args, now);

test('a key is made with what is asked for, and else with all scopes and no end', () => {
  expect(parse('create')).toEqual({
    kind: 'create',
    name: null,
    scopes: [],
    project: null,
    expiresAt: null,
  });
  expect(
    parse(
      ...['create', '--name', 'CI of the shop', '--scope', 'read', '--scope=upload,write'],
      ...['--project', 'web-shop', '--expires', '90d'],
    ),
  ).toEqual({
    kind: 'create',
    name: 'CI of the shop',
    scopes: ['read', 'upload', 'write'],
    project: 'web-shop',
    expiresAt: new Date('2026-05-31T09:15:00.000Z'),
  });
});

test.each([
  [['--scope', 'upload', 'write']],
  [['--scope=upload', 'write']],
  [['--scope', 'upload,write']],
  [['--scope', 'upload', '--scope', 'write']],
])('several scopes can be given as %j', (args) => {
  expect(parse('create', ...args, '--name', 'CI')).toMatchObject({
    name: 'CI',
    scopes: ['upload', 'write'],
  });
});

test.each([
  ['12h', '2026-03-02T21:15:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T10:00:00+02:00', '2027-01-31T08:00:00.000Z'],
])('--expires %s is %s', (text, at) => {
  expect(parse('create', '--expires', text)).toMatchObject({ expiresAt: new Date(at) });
});

test.each([
  [
    'its id',
    '0197C1F0-5E4D-7C3B-A091-2C3D4E5F6A7B',
    { id: '0197c1f0-5e4d-7c3b-a091-2c3d4e5f6a7b' },
  ],
  ['its prefix', 'ci0webshop00', { prefix: 'ci0webshop00' }],
  ['itself', `bt_ci0webshop00_${'s'.repeat(43)}`, { prefix: 'ci0webshop00' }],
])('a key is revoked by %s', (_what, text, key) => {
  expect(parse('revoke', text)).toEqual({ kind: 'revoke', key });
});

test.each([
  [[], 'A subcommand is required'],
  [['destroy'], 'Unknown subcommand destroy'],
  [['list', 'all'], 'Leave out "all": list takes no arguments'],
  [['destroy', 'all'], 'Unknown subcommand destroy'],
  [['list', '--name', 'x'], 'Only create has options'],
  [['revoke'], 'revoke wants'],
  [['revoke', 'ci0webshop00', 'other'], 'Leave out "other": revoke takes one key'],
  [['create', 'CI of the shop'], 'create takes only options, such as --name'],
  [['create', '--scope', 'upload', 'all'], '--scope all is none of read, upload, write, admin'],
  [['create', '--scope', 'root'], '--scope root is none of read, upload, write, admin'],
  [['create', '--expires', 'tomorrow'], '--expires tomorrow is neither'],
  [['create', '--expires', '2027-13-01'], '--expires 2027-13-01 is neither'],
  [['create', '--expires', '2027-02-31'], '--expires 2027-02-31 is neither'],
  [['create', '--expires', '0d'], '--expires 0d is over'],
  [['create', '--expires', '2020-01-01'], '--expires 2020-01-01 is over'],
  [['create', '--name', 'x'.repeat(256)], '--name has more'],
  [['create', '--owner', 'me'], '--owner'],
])('%j is refused, and it is said why', (args, why) => {
  expect(() => parse(...args)).toThrow(why);
});
