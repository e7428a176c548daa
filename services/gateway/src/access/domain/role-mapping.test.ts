import { factsIn, groupsIn, roleMapping, rolesOf, type RoleMapping } from './role-mapping';

const mapping: RoleMapping = [
  { group: 'all-staff', role: 'viewer' },
  { group: 'team-a', role: 'maintainer', projects: ['web-shop'] },
  { claim: { email: 'kim@example.org' }, role: 'administrator' },
  { claim: { department: 'security', employee: true }, role: 'triager' },
];

function rolesWith(claims: Record<string, unknown>): string[] {
  return rolesOf(mapping, factsIn(claims, { mapping, groupsClaim: 'groups' })).map(
    ({ role, projects }) => `${role} of ${projects === 'all' ? 'all' : projects.join()}`,
  );
}

test('a person has the roles of all their groups, and without a mapping none', () => {
  expect(rolesWith({ groups: ['team-a', 'all-staff', 'other'] })).toEqual([
    'viewer of all',
    'maintainer of web-shop',
  ]);
  expect(rolesWith({ groups: ['other'] })).toEqual([]);
  expect(rolesWith({})).toEqual([]);
});

test('a claim counts only as a whole, and an unverified address not at all', () => {
  expect(rolesWith({ email: 'kim@example.org' })).toEqual(['administrator of all']);
  expect(rolesWith({ email: 'kim@example.org', email_verified: true })).toHaveLength(1);
  expect(rolesWith({ email: 'kim@example.org', email_verified: 'true' })).toHaveLength(1);
  for (const email_verified of [false, 'false'])
    expect(rolesWith({ email: 'kim@example.org', email_verified })).toEqual([]);
  expect(rolesWith({ department: 'security' })).toEqual([]);
  expect(rolesWith({ department: 'security', employee: true })).toEqual(['triager of all']);
  expect(rolesWith({ department: 'security', employee: 'true' })).toEqual([]);
});

test('groups are a list, one text, or inside another claim', () => {
  expect(groupsIn({ groups: ['a', 7, 'b'] }, 'groups')).toEqual(['a', 'b']);
  expect(groupsIn({ groups: 'a' }, 'groups')).toEqual(['a']);
  expect(groupsIn({ realm_access: { roles: ['a'] } }, 'realm_access.roles')).toEqual(['a']);
  expect(groupsIn({ 'https://example.org/groups': ['a'] }, 'https://example.org/groups')).toEqual([
    'a',
  ]);
  expect(groupsIn({}, 'constructor.name')).toEqual([]);
});

test.each([
  ['neither group nor claim', { role: 'viewer' }],
  ['both', { group: 'a', claim: { b: 'c' }, role: 'viewer' }],
  ['an unknown role', { group: 'a', role: 'boss' }],
  ['an unknown field', { group: 'a', role: 'viewer', project: 'web-shop' }],
  ['no projects', { group: 'a', role: 'viewer', projects: [] }],
  ['an administrator of some projects', { group: 'a', role: 'administrator', projects: ['x'] }],
])('an entry with %s is refused', (_what, entry) => {
  expect(roleMapping.safeParse([entry]).success).toBe(false);
});
