import { createHash } from 'node:crypto';
import type { Caller, Grant, Projects } from '../../api-keys/domain/caller';
import type { NamedPerson } from './named-person';
import { rightsOfRole, type Role } from './rights';

/** Who a person is, by the claims of the identity provider. */
export type Person = NamedPerson;

const longestName = 255;

export function personIn(claims: Readonly<Record<string, unknown>>): Person {
  const text = (name: string): string | null => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' ? value.slice(0, longestName) : null;
  };
  return {
    issuer: text('iss') ?? '',
    subject: text('sub') ?? '',
    name: text('name') ?? text('preferred_username'),
    email: text('email'),
  };
}

/** A UUID of version 8 (RFC 9562, 5.8) from issuer and subject: the same at every sign-in. */
export function personId({ issuer, subject }: Pick<Person, 'issuer' | 'subject'>): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Everybody may read who they are. */
export const ownGrant: Grant = { rights: new Set(['own']), projects: 'all' };

/** @param roles with their projects by id */
export function callerOfPerson(
  person: Person,
  { roles, expiresAt }: { roles: readonly { role: Role; projects: Projects }[]; expiresAt: Date },
): Caller {
  const grants = roles.map(({ role, projects }) => ({
    rights: new Set(rightsOfRole[role]),
    projects,
  }));
  return {
    id: personId(person),
    identity: { kind: 'person', ...person, roles },
    grants: [ownGrant, ...grants],
    projects: [],
    expiresAt,
  };
}
