import type { ProjectScope } from '@bomtrail/messages';
import type { NamedPerson } from '../../access/domain/named-person';
import { rightsOfScopes, type Right, type Role } from '../../access/domain/rights';
import { scopes, type ApiKeyRecord, type Scope } from './api-key';

/** `all`, or the ids of projects. */
export type Projects = 'all' | readonly string[];

/** Rights in some projects. */
export interface Grant {
  readonly rights: ReadonlySet<Right>;
  readonly projects: Projects;
}

/** The key of a call. */
export interface KeyIdentity {
  readonly kind: 'key';
  /** The 12-character prefix; not secret. */
  readonly prefix: string;
  readonly name: string | null;
  /** Empty: all. */
  readonly scopes: readonly Scope[];
  /** Of a person's own key. */
  readonly owner?: NamedPerson;
}

/** A person, as the identity provider names them. */
export interface PersonIdentity extends NamedPerson {
  readonly kind: 'person';
  /** With their projects; empty: no role. */
  readonly roles: readonly { role: Role; projects: Projects }[];
}

/** The caller of an operation: who it is, and what they may do where. */
export interface Caller {
  /** UUID of the key or person: shares of slots and rate limits are counted by it. */
  readonly id: string;
  readonly identity: KeyIdentity | PersonIdentity;
  readonly grants: readonly Grant[];
  /** The only projects that exist in this call: those in which the caller has the required right. */
  readonly projects: Projects;
  /** End of the caller's own validity; null: none. */
  readonly expiresAt: Date | null;
}

export function callerOf(key: ApiKeyRecord): Caller {
  const projects = key.projectId === null ? 'all' : [key.projectId];
  return {
    id: key.id,
    identity: { kind: 'key', prefix: key.prefix, name: key.name, scopes: key.scopes },
    grants: [{ rights: rightsOfScopes(key.scopes), projects }],
    projects,
    expiresAt: key.expiresAt,
  };
}

/** Rights about no project that exists: a right in all or in none. */
const ofAll: ReadonlySet<Right> = new Set(['create-project', 'administer']);

/** The projects in which the caller has a right. */
export function projectsWith({ grants }: Pick<Caller, 'grants'>, right: Right): Projects {
  const having = grants.filter((grant) => grant.rights.has(right));
  const all = having.some(({ projects }) => projects === 'all');
  if (all) return 'all';
  return ofAll.has(right) ? [] : [...new Set(having.flatMap(({ projects }) => projects))];
}

/** Whether the caller has a right in a project; `all`: in all, those of the future included. */
export function hasRightIn(caller: Caller, right: Right, project: string): boolean {
  const projects = projectsWith(caller, right);
  return projects === 'all' || projects.includes(project);
}

/** Whether the caller has a right in some project. */
export function hasRight(caller: Caller, right: Right): boolean {
  return projectsWith(caller, right).length > 0;
}

/** All scopes that a key has, those that it has implicitly included. */
export function scopesOf({ scopes: given }: Pick<KeyIdentity, 'scopes'>): Scope[] {
  const isAdmin = given.length === 0 || given.includes('admin');
  return scopes.filter((scope) => isAdmin || given.includes(scope));
}

/** Rights that need no project: a key bound to one has them without effect. */
const boundless: ReadonlySet<Right> = new Set(['own', ...ofAll]);

/**
 * Whether the caller has all rights of a key with these scopes (none: all) in a project (null: in
 * all), since nobody can create a more powerful key.
 */
export function mayGrant(
  caller: Caller,
  { scopes: wanted, projectId }: { scopes: readonly Scope[]; projectId: string | null },
): boolean {
  return [...rightsOfScopes(wanted)].every(
    (right) =>
      (projectId !== null && boundless.has(right)) || hasRightIn(caller, right, projectId ?? 'all'),
  );
}

/** Whether a key with this expiry (null: never) would outlive the caller's own. */
export function outlives({ identity, expiresAt: own }: Caller, expiresAt: Date | null): boolean {
  // A person's session is no bound: the key replaces no session.
  if (own === null || identity.kind === 'person') return false;
  return expiresAt === null || expiresAt > own;
}

/** Whether this project exists for the caller. */
export function maySee({ projects }: Pick<Caller, 'projects'>, projectId: string): boolean {
  return projects === 'all' || projects.includes(projectId);
}

/** The projects that exist for the caller, as requests name them; null: all. */
export function scopeOf({ projects }: Pick<Caller, 'projects'>): ProjectScope | null {
  if (projects === 'all') return null;
  const [only] = projects;
  return projects.length === 1 && only !== undefined ? only : [...projects];
}

/** The only project that exists for the caller; null: there are others, or none. */
export function onlyProjectOf({ projects }: Pick<Caller, 'projects'>): string | null {
  return projects !== 'all' && projects.length === 1 ? (projects[0] ?? null) : null;
}

/**
 * The project filter of a list for a requested project (undefined: all). `nothing`: no project of
 * the caller.
 */
export function narrowed(
  caller: Pick<Caller, 'projects'>,
  requested: string | undefined,
): { projectId: ProjectScope | undefined } | 'nothing' {
  if (caller.projects === 'all') return { projectId: requested };
  if (requested !== undefined)
    return maySee(caller, requested) ? { projectId: requested } : 'nothing';
  if (caller.projects.length === 0) return 'nothing';
  return { projectId: scopeOf(caller) ?? undefined };
}
