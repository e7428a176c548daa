import type { StatusCase } from './status-case';

/** API keys, the audit log, and the endpoints for those who run the product. */
export const administrationCases: StatusCase[] = [
  { operationId: 'listApiKeys', status: 200, when: 'a page of keys' },
  {
    operationId: 'listApiKeys',
    status: 422,
    when: 'the page is 0',
    request: () => ({ query: { page: '0' } }),
  },
  {
    operationId: 'createApiKey',
    status: 201,
    when: 'a key for a project',
    request: ({ project }) => ({
      body: { name: 'CI', scopes: ['upload'], project_id: project.id },
    }),
  },
  {
    operationId: 'createApiKey',
    status: 404,
    code: 'project_not_found',
    when: 'the project does not exist',
    request: ({ unknownId }) => ({ body: { project_id: unknownId } }),
  },
  {
    operationId: 'createApiKey',
    status: 422,
    when: 'a scope is none',
    request: () => ({ body: { scopes: ['root'] } }),
  },
  { operationId: 'getOwnApiKey', status: 200, when: 'the key of the request' },
  { operationId: 'getMe', status: 200, when: 'the key of the request' },
  {
    operationId: 'getMe',
    status: 422,
    when: 'a parameter is unknown',
    request: () => ({ query: { role: 'x' } }),
  },
  {
    operationId: 'getOwnApiKey',
    status: 422,
    when: 'a parameter is unknown',
    request: () => ({ query: { key: 'x' } }),
  },
  {
    operationId: 'deleteApiKey',
    status: 204,
    when: 'it exists',
    request: async ({ newApiKey }) => ({ path: { api_key_id: (await newApiKey(['read'])).id } }),
  },
  {
    operationId: 'deleteApiKey',
    status: 404,
    code: 'api_key_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { api_key_id: unknownId } }),
  },
  { operationId: 'listAuditEntries', status: 200, when: 'a page of entries' },
  {
    operationId: 'listAuditEntries',
    status: 422,
    when: 'a time is none',
    request: () => ({ query: { from: 'yesterday' } }),
  },
  { operationId: 'getHealth', status: 200, when: 'without a key', request: () => ({ key: null }) },
  {
    operationId: 'getReadiness',
    status: 200,
    when: 'without a key',
    request: () => ({ key: null }),
  },
  { operationId: 'getVersion', status: 200, when: 'without a key', request: () => ({ key: null }) },
  { operationId: 'getOpenapi', status: 200, when: 'without a key', request: () => ({ key: null }) },
];
