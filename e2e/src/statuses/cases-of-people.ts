import { sendForJson } from '@bomtrail/api-client';
import type { Harness } from './harness';
import type { StatusCase } from './status-case';

const ownKeys = '/api/v1/me/api-keys';

/** As a person with this token. */
const targetOf = ({ stack }: Harness, apiKey: string) => ({ ...stack.target, apiKey });

async function newOwnKey(harness: Harness, token: string): Promise<string> {
  const call = { method: 'POST', path: ownKeys, body: { scopes: ['read'] } } as const;
  return (await sendForJson<{ id: string }>(targetOf(harness, token), call)).id;
}

/** Keys of one's own, and the people who have them. */
export const peopleCases: StatusCase[] = [
  {
    operationId: 'listOwnApiKeys',
    status: 200,
    when: 'a page of keys of the person',
  },
  {
    operationId: 'createOwnApiKey',
    status: 201,
    when: 'the person may do something of its scopes',
    request: () => ({ body: { name: 'Laptop', scopes: ['read'] } }),
  },
  {
    operationId: 'createOwnApiKey',
    status: 404,
    code: 'project_not_found',
    when: 'the project does not exist',
    request: ({ unknownId }) => ({ body: { scopes: ['read'], project_id: unknownId } }),
  },
  {
    operationId: 'createOwnApiKey',
    status: 409,
    code: 'too_many_api_keys',
    when: 'the person has 20',
    request: async (harness) => {
      const key = await harness.newPerson();
      for (let made = 0; made < 20; made += 1) await newOwnKey(harness, key);
      return { key, body: { scopes: ['read'] } };
    },
  },
  {
    operationId: 'createOwnApiKey',
    status: 422,
    when: 'it manages keys',
    request: () => ({ body: { scopes: ['admin'] } }),
  },
  {
    operationId: 'deleteOwnApiKey',
    status: 204,
    when: 'it is one of theirs',
    request: async (harness) => {
      const key = await harness.newPerson();
      return { key, path: { api_key_id: await newOwnKey(harness, key) } };
    },
  },
  {
    operationId: 'deleteOwnApiKey',
    status: 404,
    code: 'api_key_not_found',
    when: 'it is of somebody else',
    request: async (harness) => {
      const api_key_id = await newOwnKey(harness, await harness.newPerson());
      return { path: { api_key_id } };
    },
  },
  { operationId: 'listPeople', status: 200, when: 'a page of people' },
  {
    operationId: 'endSessions',
    status: 200,
    when: 'the person was here',
    request: async (harness) => {
      const target = targetOf(harness, await harness.newPerson());
      const { id } = await sendForJson<{ id: string }>(target, { path: '/api/v1/me' });
      return { path: { person_id: id }, query: { keys: 'true' } };
    },
  },
  {
    operationId: 'endSessions',
    status: 404,
    code: 'person_not_found',
    when: 'nobody has this id',
    request: ({ unknownId }) => ({ path: { person_id: unknownId } }),
  },
];
