import { hasScope, mayGrant, maySee, narrowed, outlives, type Caller } from './caller';

function caller(own: Partial<Caller>): Caller {
  return {
    keyId: 'id',
    keyPrefix: 'prefix',
    keyName: null,
    scopes: [],
    projectId: null,
    expiresAt: null,
    ...own,
  };
}

test('a key without scopes has all, and admin includes the rest', () => {
  for (const scopes of [[], ['admin' as const]]) {
    expect(hasScope(caller({ scopes }), ['upload'])).toBe(true);
    expect(hasScope(caller({ scopes }), ['admin'])).toBe(true);
  }
  expect(hasScope(caller({ scopes: ['read', 'write'] }), ['upload', 'admin'])).toBe(false);
});

test('a key can give what it has, and not more', () => {
  expect(mayGrant(caller({ scopes: ['admin'] }), [])).toBe(true);
  expect(mayGrant(caller({}), ['admin', 'read'])).toBe(true);
  const reader = caller({ scopes: ['read', 'upload'] });
  expect(mayGrant(reader, ['upload'])).toBe(true);
  expect(mayGrant(reader, ['upload', 'write'])).toBe(false);
  expect(mayGrant(reader, [])).toBe(false);
});

test('nothing outlives a key that never ends, and what never ends outlives every other one', () => {
  const end = new Date('2026-03-02T09:15:00.000Z');
  expect(outlives(caller({}), null)).toBe(false);
  const ending = caller({ expiresAt: end });
  expect(outlives(ending, null)).toBe(true);
  expect(outlives(ending, new Date(end.getTime() + 1))).toBe(true);
  expect(outlives(ending, end)).toBe(false);
});

test('for a bound key there is its own project alone', () => {
  const bound = caller({ projectId: 'own' });
  expect([maySee(bound, 'own'), maySee(bound, 'other')]).toEqual([true, false]);
  expect(narrowed(bound, undefined)).toEqual({ projectId: 'own' });
  expect(narrowed(bound, 'other')).toBe('nothing');
  expect(narrowed(caller({}), 'other')).toEqual({ projectId: 'other' });
});
