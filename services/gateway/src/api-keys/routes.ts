import { scopes, type Scope } from './domain/api-key';
import { scopesOf } from './domain/caller';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import * as apiKeys from './manage-api-keys';
import { json, route, type Routes } from '../http/call';
import { receiveJson, receiveNothing } from '../http/json-body';

interface ApiKeyBody {
  name?: string | null;
  scopes?: Scope[] | null;
  project_id?: string | null;
  expires_at?: string | null;
}

/** For keys with the scope `admin`; each may read itself. */
export function apiKeyRoutes(deps: apiKeys.ManageApiKeysDeps): Routes {
  return {
    listApiKeys: route<{ query: PageRequest }>({
      scopes: ['admin'],
      receive: receiveNothing,
      handle: async ({ caller, query }) =>
        json(pageEnvelope(await apiKeys.listApiKeys(deps, caller, query), query)),
    }),
    getOwnApiKey: route({
      scopes,
      receive: receiveNothing,
      handle: ({ caller }) =>
        Promise.resolve(
          json({
            id: caller.keyId,
            prefix: caller.keyPrefix,
            name: caller.keyName,
            scopes: scopesOf(caller),
            project_id: caller.projectId,
            expires_at: caller.expiresAt?.toISOString() ?? null,
          }),
        ),
    }),
    createApiKey: route<{ body: ApiKeyBody }>({
      scopes: ['admin'],
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
    deleteApiKey: route<{ path: { api_key_id: string } }>({
      scopes: ['admin'],
      receive: receiveNothing,
      handle: async ({ caller, path }) => {
        const { project_id } = await apiKeys.revokeApiKey(deps, caller, { id: path.api_key_id });
        return { kind: 'nothing', about: { project_id } };
      },
    }),
  };
}
