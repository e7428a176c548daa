import { sendForJson, type Target } from './http';
import type { ApiKeyCreated, Schemas } from './types';

/** API keys. */
export function apiKeyCalls(target: Target) {
  return {
    listKeys: (query: { page?: number; per_page?: number }): Promise<Schemas['ApiKeyPage']> =>
      sendForJson(target, { path: '/api/v1/api-keys', query }, 'items'),

    createKey: (body: Schemas['ApiKeyCreate']): Promise<ApiKeyCreated> =>
      sendForJson(target, { method: 'POST', path: '/api/v1/api-keys', body }, 'key'),

    revokeKey: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `/api/v1/api-keys/${id}` }),
  };
}
