import type { ApiKeyRecord, Scope } from './api-key';

/** Who asks: what its key allows and which project it is bound to. */
export interface Caller {
  readonly keyId: string;
  /** The 12 characters that name the key; no secret. */
  readonly keyPrefix: string;
  readonly keyName: string | null;
  /** Empty: all. */
  readonly scopes: readonly Scope[];
  /** For a bound key other projects do not exist; null: not bound. */
  readonly projectId: string | null;
  /** When the key ends; null: never. */
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

/** Has the caller one of these scopes? A key without scopes has all; `admin` includes the rest. */
export function hasScope(caller: Caller, anyOf: readonly Scope[]): boolean {
  if (caller.scopes.length === 0 || caller.scopes.includes('admin')) return true;
  return anyOf.some((scope) => caller.scopes.includes(scope));
}

/**
 * Has the caller all that a key with these scopes (none: all) would have? A key makes no key that can
 * do more than itself.
 */
export function mayGrant(caller: Caller, scopes: readonly Scope[]): boolean {
  const wanted: readonly Scope[] = scopes.length === 0 ? ['admin'] : scopes;
  return wanted.every((scope) => hasScope(caller, [scope]));
}

/** Would a key that ends then (null: never) outlive the caller's own? */
export function outlives(caller: Caller, expiresAt: Date | null): boolean {
  if (caller.expiresAt === null) return false;
  return expiresAt === null || expiresAt > caller.expiresAt;
}

/** Does this project exist for the caller? */
export function maySee(caller: Caller, projectId: string): boolean {
  return caller.projectId === null || caller.projectId === projectId;
}

/**
 * The project that a list is narrowed to when the caller asks for `asked` (undefined: all).
 * `nothing`: the caller's key is bound to another project.
 */
export function narrowed(
  caller: Caller,
  asked: string | undefined,
): { projectId: string | undefined } | 'nothing' {
  if (caller.projectId === null) return { projectId: asked };
  return asked === undefined || asked === caller.projectId
    ? { projectId: caller.projectId }
    : 'nothing';
}
