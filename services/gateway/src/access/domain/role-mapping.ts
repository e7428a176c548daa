import { z } from 'zod';
import type { Projects } from '../../api-keys/domain/caller';
import { roles, type Role } from './rights';

const names = z.array(z.string().min(1)).min(1).max(1_000);

const entry = z
  .strictObject({
    group: z.string().min(1).optional(),
    claim: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])).optional(),
    role: z.enum(roles),
    projects: names.optional(),
  })
  .refine(({ group, claim }) => (group === undefined) !== (claim === undefined), {
    message: 'needs either group or claim',
  })
  .refine(({ role, projects }) => role !== 'administrator' || projects === undefined, {
    message: 'an administrator is one of all projects: leave out projects',
  });

/**
 * Which role people have, by a group or a claim of theirs. `projects`: slugs or ids; absent: all
 * projects, those of the future included.
 */
export const roleMapping = z.array(entry).max(10_000);
export type RoleMapping = z.infer<typeof roleMapping>;

/** What the identity provider says about a person, as far as a mapping depends on it. */
export interface PersonFacts {
  readonly groups: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A role, with its projects by slug or id. */
export interface MappedRole {
  readonly role: Role;
  readonly projects: Projects;
}

/** The roles of a person: all whose group or claims they have; none without a mapping (AU4). */
export function rolesOf(mapping: RoleMapping, { groups, claims }: PersonFacts): MappedRole[] {
  return mapping
    .filter(({ group, claim }) => {
      if (group !== undefined) return groups.includes(group);
      const wanted = Object.entries(claim ?? {});
      return wanted.length > 0 && wanted.every(([name, value]) => hasClaim(claims, name, value));
    })
    .map(({ role, projects }) => ({ role, projects: projects ?? 'all' }));
}

/** An address that the provider has not verified is no proof of who it is. Some say `false` as a text. */
function hasClaim(claims: PersonFacts['claims'], name: string, value: unknown): boolean {
  if (name === 'email' && String(claims['email_verified']) === 'false') return false;
  const given = claimAt(claims, name);
  return Array.isArray(given) ? given.includes(value) : given === value;
}

/** The facts in the claims of a token that a mapping depends on. */
export function factsIn(
  claims: Readonly<Record<string, unknown>>,
  { mapping, groupsClaim }: { mapping: RoleMapping; groupsClaim: string },
): PersonFacts {
  const named = new Set([
    'email_verified',
    ...mapping.flatMap(({ claim }) => Object.keys(claim ?? {})),
  ]);
  const own = [...named].flatMap((name) => {
    const value = claimAt(claims, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { groups: groupsIn(claims, groupsClaim), claims: Object.fromEntries(own) };
}

/** The groups in a claim, which is a list of texts or one text. */
export function groupsIn(claims: Readonly<Record<string, unknown>>, name: string): string[] {
  const given = claimAt(claims, name);
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.filter((one): one is string => typeof one === 'string');
}

/** A claim by its name, else by a path such as `realm_access.roles`. */
function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isObject ? (value as Record<string, unknown>)[part] : undefined;
  }, claims);
}
