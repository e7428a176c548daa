import { randomBytes, randomInt } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { v7 } from 'uuid';
import type { Person } from '../access/domain/person';
import { hashSecret, type Scope } from './domain/api-key';
import { maySee, mayGrant, outlives, scopeOf, type Caller } from './domain/caller';
import type { PageRequest } from '../shared/page-envelope';
import type { ApiKeyDocument, ApiKeysStore, KeyScope } from './store/api-keys-store';
import { orUnavailable } from '../shared/or-unavailable';

export interface ManageApiKeysDeps {
  request: Request;
  keys: ApiKeysStore;
  /** Invalidates the cached record of a key. */
  invalidateKey: (prefix: string) => void;
  now: () => Date;
}

/** Rights of a new key. */
export interface ApiKeyFields {
  name: string | null;
  /** Empty: all. */
  scopes: readonly Scope[];
  /** Project that the key is bound to; null: none. */
  project_id: string | null;
  expires_at: Date | null;
}

/** The contract's ApiKeyResponse. */
export interface ApiKeyView {
  id: string;
  prefix: string;
  name: string | null;
  scopes: Scope[];
  project_id: string | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** Of a person's own key. */
  owner?: Person;
}

/** No look-alike characters, and no leading `-`, which a command would take for an option. */
const prefixSigns = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const prefixLength = 12;
const secretBytes = 32;

/**
 * Creates a key and returns it only once: just a hash of its secret is stored. A key cannot create
 * one with more scopes, other projects or a longer life.
 *
 * @throws AppError `insufficient_scope`, `project_not_found`
 */
export async function createApiKey(
  deps: ManageApiKeysDeps,
  caller: Caller,
  fields: ApiKeyFields,
): Promise<ApiKeyView & { key: string }> {
  expectWithinReach(caller, fields);
  const { project_id } = fields;
  if (project_id !== null)
    await deps.request(messages.getProject, { project_id, project_slug: null });
  return storeNewKey(deps, fields);
}

/**
 * Stores a new key, whose secret is returned this once.
 *
 * @throws AppError `project_not_found` if its project was deleted
 */
export async function storeNewKey(
  deps: Pick<ManageApiKeysDeps, 'keys' | 'now'>,
  { owner, ...fields }: ApiKeyFields & Pick<ApiKeyDocument, 'owner'>,
): Promise<ApiKeyView & { key: string }> {
  const { project_id } = fields;
  const prefix = Array.from({ length: prefixLength }, randomSign).join('');
  const secret = randomBytes(secretBytes).toString('base64url');
  const document: ApiKeyDocument = {
    _id: v7(),
    prefix,
    secret_sha256: hashSecret(secret),
    name: fields.name,
    scopes: [...new Set(fields.scopes)],
    project_id,
    expires_at: fields.expires_at,
    created_at: deps.now(),
    revoked_at: null,
    ...(owner && { owner }),
  };
  if ((await orUnavailable(deps.keys.insert(document))) === 'gone')
    throw new AppError('project_not_found');
  return { ...apiKeyView(document), key: `bt_${prefix}_${secret}` };
}

/** Keys that are not revoked, newest first; for a bound caller those bound to its project. */
export async function listApiKeys(
  deps: ManageApiKeysDeps,
  caller: Caller,
  requested: PageRequest,
): Promise<messages.PageOf<ApiKeyView>> {
  const { items, total } = await orUnavailable(
    deps.keys.list(reachOf(caller), messages.pageWindow(requested)),
  );
  return { items: items.map(apiKeyView), total };
}

/**
 * Revokes a key: this process rejects it at once, others within 5 seconds (docs/rules.md AK2). Keys
 * that it created stay valid.
 *
 * @throws AppError `api_key_not_found`, also for all but one of parallel calls and, for a bound
 * caller,
 * for keys of other projects
 */
export async function revokeApiKey(
  deps: ManageApiKeysDeps,
  caller: Caller,
  key: { id: string } | { prefix: string },
): Promise<ApiKeyView> {
  const revoked = await orUnavailable(deps.keys.revoke(key, reachOf(caller), deps.now()));
  if (!revoked) throw new AppError('api_key_not_found');
  deps.invalidateKey(revoked.prefix);
  return apiKeyView(revoked);
}

/** Deletes keys of a deleted project. @returns whether there may be more */
export async function forgetProjectKeys(
  deps: Pick<ManageApiKeysDeps, 'keys' | 'invalidateKey' | 'now'>,
  projectId: string,
): Promise<boolean> {
  const { prefixes, more } = await deps.keys.deleteProjectData(projectId, deps.now());
  for (const prefix of prefixes) deps.invalidateKey(prefix);
  return more;
}

function expectWithinReach(caller: Caller, { scopes, project_id, expires_at }: ApiKeyFields): void {
  const isKey = caller.identity.kind === 'key';
  const [who, self] = isKey ? ['The API key', 'it'] : ['Your role', 'it'];
  if (caller.projects !== 'all' && project_id === null) {
    throw new AppError(
      'insufficient_scope',
      `${who} is bound to projects and can only create keys of one of them: pass its project_id.`,
    );
  }
  if (project_id !== null && !maySee(caller, project_id)) throw new AppError('project_not_found');
  if (!mayGrant(caller, { scopes, projectId: project_id }))
    throw new AppError('insufficient_scope', `${who} cannot grant scopes that ${self} lacks.`);
  if (outlives(caller, expires_at)) {
    throw new AppError(
      'insufficient_scope',
      'The API key cannot create keys that outlive it: pass an expires_at up to its own.',
    );
  }
}

function reachOf(caller: Caller): KeyScope {
  return { projectId: scopeOf(caller) ?? undefined };
}

function randomSign(): string {
  return prefixSigns.charAt(randomInt(prefixSigns.length));
}

export function apiKeyView(document: ApiKeyDocument): ApiKeyView {
  const { owner } = document;
  return {
    id: document._id,
    prefix: document.prefix,
    name: document.name,
    scopes: document.scopes,
    project_id: document.project_id,
    created_at: document.created_at.toISOString(),
    expires_at: document.expires_at?.toISOString() ?? null,
    last_used_at: document.last_used_at?.toISOString() ?? null,
    ...(owner && { owner: personOf(owner) }),
  };
}

function personOf({ issuer, subject, name, email }: Person): Person {
  return { issuer, subject, name, email };
}
