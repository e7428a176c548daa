import type { Scope } from '../../api-keys/domain/api-key';

/**
 * What an operation may require. `own`: reading what concerns the caller alone; `own-keys`: keys of one's own, which
 * people alone have; `administer`: what applies to all projects.
 */
export const rights = [
  'own',
  'own-keys',
  'read',
  'read-sbom',
  'upload',
  'decide',
  'manage',
  'create-project',
  'keys',
  'audit',
  'administer',
] as const;
export type Right = (typeof rights)[number];

const readable: readonly Right[] = ['own', 'read', 'read-sbom'];
const everything: readonly Right[] = rights;
/** A key has no keys of its own. */
const everythingOfKeys: readonly Right[] = rights.filter((right) => right !== 'own-keys');

/** The rights of a key's scopes (docs/rules.md AK4). */
export const rightsOfScope: Readonly<Record<Scope, readonly Right[]>> = {
  read: readable,
  upload: ['own', 'upload', 'read-sbom'],
  write: ['own', 'decide', 'manage', 'create-project'],
  admin: everythingOfKeys,
};

/** What a person may be, from the least to the most. */
export const roles = ['viewer', 'triager', 'uploader', 'maintainer', 'administrator'] as const;
export type Role = (typeof roles)[number];

/** The rights of a role (docs/rules.md AU3). */
export const rightsOfRole: Readonly<Record<Role, readonly Right[]>> = {
  viewer: [...readable, 'own-keys'],
  triager: [...readable, 'own-keys', 'decide'],
  uploader: [...readable, 'own-keys', 'upload'],
  maintainer: [...readable, 'own-keys', 'upload', 'decide', 'manage', 'keys'],
  administrator: everything,
};

/** The rights of a key with these scopes; none: all. */
export function rightsOfScopes(scopes: readonly Scope[]): ReadonlySet<Right> {
  if (scopes.length === 0) return new Set(everythingOfKeys);
  return new Set(scopes.flatMap((scope) => rightsOfScope[scope]));
}

/** The scopes that each give a right, without `admin` if a lesser one does; none: no key has it. */
export function scopesWith(right: Right): Scope[] {
  if (!everythingOfKeys.includes(right)) return [];
  const lesser = (['read', 'upload', 'write'] as const).filter((scope) =>
    rightsOfScope[scope].includes(right),
  );
  return lesser.length > 0 ? lesser : ['admin'];
}

/** The roles that give a right. */
export function rolesWith(right: Right): Role[] {
  return roles.filter((role) => rightsOfRole[role].includes(right));
}
