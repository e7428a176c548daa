import { scopes, type ApiKeyRecord, type Scope } from './api-key';

/** The caller: rights and project of its key. */
export interface Caller {
  readonly keyId: string;
  /** The 12-character prefix of the key; not secret. */
  readonly keyPrefix: string;
  readonly keyName: string | null;
  /** Empty: all. */
  readonly scopes: readonly Scope[];
  /** The only project that exists for the key; null: all. */
  readonly projectId: string | null;
  /** Expiry of the key; null: never. */
  readonly expiresAt: Date | null;
}

export function callerOf(key: ApiKeyRecord): Caller {
  return {
    keyId: key.id,
    keyPrefix: key.prefix,
    keyName: key.name,
    scopes: key.scopes,
    projectId: key.projectId,
    expiresAt: key.expiresAt,
  };
}

/**
 * Whether the caller has one of these scopes. A key without scopes has all; `admin` includes the
 * rest.
 */
export function hasScope(caller: Caller, anyOf: readonly Scope[]): boolean {
  if (caller.scopes.length === 0 || caller.scopes.includes('admin')) return true;
  return anyOf.some((scope) => caller.scopes.includes(scope));
}

/** All scopes that the caller has, those that it has implicitly included. */
export function scopesOf(caller: Caller): Scope[] {
  return scopes.filter((scope) => hasScope(caller, [scope]));
}

/**
 * Whether the caller has all rights of a key with these scopes (none: all), since a key cannot
 * create a more powerful one.
 */
export function mayGrant(caller: Caller, scopes: readonly Scope[]): boolean {
  const wanted: readonly Scope[] = scopes.length === 0 ? ['admin'] : scopes;
  return wanted.every((scope) => hasScope(caller, [scope]));
}

/** Whether a key with this expiry (null: never) would outlive the caller's own. */
export function outlives(caller: Caller, expiresAt: Date | null): boolean {
  if (caller.expiresAt === null) return false;
  return expiresAt === null || expiresAt > caller.expiresAt;
}

/** Whether this project exists for the caller. */
export function maySee(caller: Caller, projectId: string): boolean {
  return caller.projectId === null || caller.projectId === projectId;
}

/**
 * The project filter of a list for a requested project (undefined: all). `nothing`: the caller's
 * key is bound to another project.
 */
export function narrowed(
  caller: Caller,
  requested: string | undefined,
): { projectId: string | undefined } | 'nothing' {
  if (caller.projectId === null) return { projectId: requested };
  return requested === undefined || requested === caller.projectId
    ? { projectId: caller.projectId }
    : 'nothing';
}
