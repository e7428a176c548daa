import type { components } from '@bomtrail/api-contract';
import { AppError } from '@bomtrail/messages';
import type { OwnKeyScope } from '../access/domain/own-key';
import type { Scope } from './domain/api-key';
import { onlyProjectOf, scopesOf, type Caller } from './domain/caller';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import * as apiKeys from './manage-api-keys';
import * as own from './own-keys';
import { json, nothing, route, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';

interface ApiKeyBody {
  name?: string | null;
  scopes?: Scope[] | null;
  project_id?: string | null;
  expires_at?: string | null;
}

interface OwnKeyBody extends Omit<ApiKeyBody, 'scopes'> {
  scopes: OwnKeyScope[];
}

/** Of all keys for those who manage them, of one's own for people; each key may read itself. */
export function apiKeyRoutes(deps: apiKeys.ManageApiKeysDeps): Routes {
  return {
    listApiKeys: route<{ query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) =>
        json(pageEnvelope(await apiKeys.listApiKeys(deps, caller, query), query)),
    }),
    getOwnApiKey: route({
      receive: receiveNothing,
      handle: async ({ caller }) => json(ownKey(caller)),
    }),
    createApiKey: route<{ body: ApiKeyBody }>({
      receive: receiveJson,
      handle: async ({ caller, body }) => {
        const created = await apiKeys.createApiKey(deps, caller, {
          name: body.name ?? null,
          scopes: body.scopes ?? [],
          project_id: body.project_id ?? null,
          expires_at: body.expires_at ? new Date(body.expires_at) : null,
        });
        return json(created);
      },
    }),
    listOwnApiKeys: route<{ query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ caller, query }) =>
        json(pageEnvelope(await own.listOwnKeys(deps, caller, query), query)),
    }),
    createOwnApiKey: route<{ body: OwnKeyBody }>({
      receive: receiveJson,
      handle: async ({ caller, body }) => {
        const { name = null, scopes, project_id = null, expires_at } = body;
        const until = expires_at ? new Date(expires_at) : null;
        const fields = { name, scopes, project_id, expires_at: until };
        return json(await own.createOwnKey(deps, caller, fields));
      },
    }),
    deleteOwnApiKey: route<{ path: { api_key_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        await own.revokeOwnKey(deps, caller, path.api_key_id);
        return nothing;
      },
    }),
    deleteApiKey: route<{ path: { api_key_id: string } }>({
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        const { project_id } = await apiKeys.revokeApiKey(deps, caller, { id: path.api_key_id });
        return { kind: 'nothing', about: { project_id } };
      },
    }),
  };
}

/** @throws AppError `api_key_not_found` for a person */
function ownKey(caller: Caller): components['schemas']['OwnApiKey'] {
  const { id, identity, expiresAt } = caller;
  if (identity.kind !== 'key')
    throw new AppError('api_key_not_found', 'This call has no API key: read GET /api/v1/me.');
  const { prefix, name } = identity;
  return {
    id,
    prefix,
    name,
    scopes: scopesOf(identity),
    project_id: onlyProjectOf(caller),
    expires_at: expiresAt?.toISOString() ?? null,
  };
}
