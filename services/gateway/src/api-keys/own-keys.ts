import { AppError, getProject, pageWindow, type PageOf } from '@bomtrail/messages';
import { maxOwnKeys, ownKeyDays, type OwnKeyScope } from '../access/domain/own-key';
import { personId, type Person } from '../access/domain/person';
import type { Right } from '../access/domain/rights';
import { orUnavailable } from '../shared/or-unavailable';
import { ValidationError } from '../shared/http-error';
import type { PageRequest } from '../shared/page-envelope';
import { hasRight, hasRightIn, maySee, type Caller } from './domain/caller';
import {
  apiKeyView,
  storeNewKey,
  type ApiKeyView,
  type ManageApiKeysDeps,
} from './manage-api-keys';

export interface OwnKeyFields {
  name: string | null;
  scopes: readonly OwnKeyScope[];
  project_id: string | null;
  /** Null: as late as possible. */
  expires_at: Date | null;
}

/**
 * Creates a key of a person's own (AK5): it may do what they may themselves, as far as its scopes go, and its secret is
 * returned this once.
 *
 * @throws ValidationError if it would be valid for too long; AppError `project_not_found`, `insufficient_scope`,
 *   `too_many_api_keys`
 */
export async function createOwnKey(
  deps: ManageApiKeysDeps,
  caller: Caller,
  { name, scopes, project_id, expires_at }: OwnKeyFields,
): Promise<ApiKeyView & { key: string }> {
  const person = personOf(caller);
  const latest = new Date(deps.now().getTime() + ownKeyDays * 86_400_000);
  if (expires_at && expires_at > latest) throw tooLong(expires_at);
  if (project_id !== null && !maySee(caller, project_id)) throw new AppError('project_not_found');
  const useless = scopes.find((scope) => !isOfUse(caller, scope, project_id));
  if (useless !== undefined)
    throw new AppError(
      'insufficient_scope',
      `A key of your own may do no more than you, and you may do nothing of the scope ${useless} there.`,
    );
  if (project_id !== null) await deps.request(getProject, { project_id, project_slug: null });
  const owner = { id: caller.id, ...person };
  if ((await orUnavailable(deps.keys.countOwned(owner.id))) >= maxOwnKeys)
    throw new AppError('too_many_api_keys');
  return storeNewKey(deps, { name, scopes, project_id, expires_at: expires_at ?? latest, owner });
}

/** The person's own keys that are not revoked, newest first. */
export async function listOwnKeys(
  deps: ManageApiKeysDeps,
  caller: Caller,
  requested: PageRequest,
): Promise<PageOf<ApiKeyView>> {
  const scope = { projectId: undefined, ownerId: ownerId(caller) };
  const { items, total } = await orUnavailable(deps.keys.list(scope, pageWindow(requested)));
  return { items: items.map(apiKeyView), total };
}

/** Revokes one of them. @throws AppError `api_key_not_found`, also for keys of others */
export async function revokeOwnKey(
  deps: ManageApiKeysDeps,
  caller: Caller,
  id: string,
): Promise<ApiKeyView> {
  const scope = { projectId: undefined, ownerId: ownerId(caller) };
  const revoked = await orUnavailable(deps.keys.revoke({ id }, scope, deps.now()));
  if (!revoked) throw new AppError('api_key_not_found');
  deps.invalidateKey(revoked.prefix);
  return apiKeyView(revoked);
}

/** What each scope is for. */
const purposes: Readonly<Record<OwnKeyScope, readonly Right[]>> = {
  read: ['read'],
  upload: ['upload'],
  write: ['decide', 'manage', 'create-project'],
};

/** Whether the caller may do something that a scope is for. */
function isOfUse(caller: Caller, scope: OwnKeyScope, project: string | null): boolean {
  return purposes[scope].some((right) =>
    project === null ? hasRight(caller, right) : hasRightIn(caller, right, project),
  );
}

/** Only people have the right to keys of their own. */
function personOf({ identity }: Caller): Person {
  if (identity.kind === 'key') throw new AppError('insufficient_scope');
  const { issuer, subject, name, email } = identity;
  return { issuer, subject, name, email };
}

function ownerId(caller: Caller): string {
  return personId(personOf(caller));
}

function tooLong(given: Date): ValidationError {
  const error = `a key of your own is valid for ${ownKeyDays} days at most`;
  const problem = { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } };
  return new ValidationError([
    { loc: ['body', 'expires_at'], input: given.toISOString(), ...problem },
  ]);
}
