import { rightsOfRole, rightsOfScopes, type Role } from '../../access/domain/rights';
import type { Scope } from './api-key';
import {
  hasRight,
  mayGrant,
  maySee,
  narrowed,
  outlives,
  projectsWith,
  scopesOf,
  scopeOf,
  type Caller,
  type Projects,
} from './caller';

function key(scopes: readonly Scope[] = [], projects: Projects = 'all'): Caller {
  return {
    id: 'id',
    identity: { kind: 'key', prefix: 'prefix', name: null, scopes },
    grants: [{ rights: rightsOfScopes(scopes), projects }],
    projects,
    expiresAt: null,
  };
}

function person(...roles: { role: Role; projects: Projects }[]): Caller {
  return {
    id: 'id',
    identity: { kind: 'person', issuer: 'i', subject: 's', name: null, email: null, roles },
    grants: roles.map(({ role, projects }) => ({ rights: new Set(rightsOfRole[role]), projects })),
    projects: [],
    expiresAt: null,
  };
}

test('a key without scopes has all, and admin includes the rest', () => {
  for (const scopes of [[], ['admin' as const]]) {
    expect(hasRight(key(scopes), 'upload')).toBe(true);
    expect(hasRight(key(scopes), 'keys')).toBe(true);
    expect(scopesOf({ scopes })).toEqual(['read', 'upload', 'write', 'admin']);
  }
  expect(hasRight(key(['read', 'write']), 'upload')).toBe(false);
  expect(hasRight(key(['read', 'write']), 'administer')).toBe(false);
});

test('a key can give what it has, and not more', () => {
  const inAll = (scopes: Scope[]) => ({ scopes, projectId: null });
  expect(mayGrant(key(['admin']), inAll([]))).toBe(true);
  expect(mayGrant(key(), inAll(['admin', 'read']))).toBe(true);
  const reader = key(['read', 'upload']);
  expect(mayGrant(reader, inAll(['upload']))).toBe(true);
  expect(mayGrant(reader, inAll(['upload', 'write']))).toBe(false);
  expect(mayGrant(reader, inAll([]))).toBe(false);
});

test('a maintainer gives keys of the own project what maintainers may, and no more', () => {
  const maintainer = person({ role: 'maintainer', projects: ['own'] });
  const inProject = (projectId: string | null, scopes: Scope[]) => ({ scopes, projectId });
  expect(mayGrant(maintainer, inProject('own', ['read', 'upload', 'write']))).toBe(true);
  expect(mayGrant(maintainer, inProject('own', ['admin']))).toBe(false);
  expect(mayGrant(maintainer, inProject('own', []))).toBe(false);
  expect(mayGrant(maintainer, inProject('other', ['read']))).toBe(false);
  expect(mayGrant(maintainer, inProject(null, ['read']))).toBe(false);
});

test('nothing outlives a key that never ends, and what never ends outlives every other one', () => {
  const end = new Date('2026-03-02T09:15:00.000Z');
  expect(outlives(key(), null)).toBe(false);
  const ending = { ...key(), expiresAt: end };
  expect(outlives(ending, null)).toBe(true);
  expect(outlives(ending, new Date(end.getTime() + 1))).toBe(true);
  expect(outlives(ending, end)).toBe(false);
});

test('for a bound key there is its own project alone', () => {
  const bound = key([], ['own']);
  expect([maySee(bound, 'own'), maySee(bound, 'other')]).toEqual([true, false]);
  expect(narrowed(bound, undefined)).toEqual({ projectId: 'own' });
  expect(narrowed(bound, 'other')).toBe('nothing');
  expect(narrowed(key(), 'other')).toEqual({ projectId: 'other' });
});

test('a person has each right where one of their roles has it', () => {
  const both = person(
    { role: 'viewer', projects: ['a', 'b'] },
    { role: 'maintainer', projects: ['b', 'c'] },
  );
  expect(projectsWith(both, 'read')).toEqual(['a', 'b', 'c']);
  expect(projectsWith(both, 'manage')).toEqual(['b', 'c']);
  expect(projectsWith(both, 'administer')).toEqual([]);
  // A bound key is not offered what it would be refused.
  expect(projectsWith(key(['write'], ['own']), 'create-project')).toEqual([]);
  const everywhere = person(
    { role: 'triager', projects: 'all' },
    { role: 'viewer', projects: ['a'] },
  );
  expect(projectsWith(everywhere, 'decide')).toBe('all');
});

test('several projects are named together, one by its id, and none selects nothing', () => {
  expect(scopeOf({ projects: 'all' })).toBe(null);
  expect(scopeOf({ projects: ['a'] })).toBe('a');
  expect(scopeOf({ projects: ['a', 'b'] })).toEqual(['a', 'b']);
  expect(narrowed({ projects: ['a', 'b'] }, undefined)).toEqual({ projectId: ['a', 'b'] });
  expect(narrowed({ projects: ['a', 'b'] }, 'b')).toEqual({ projectId: 'b' });
  expect(narrowed({ projects: [] }, undefined)).toBe('nothing');
});
