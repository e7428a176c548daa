import type { HttpResponse } from '@bomtrail/api-client';
import type { Contract } from '@bomtrail/api-contract';
import type { StatusCase } from './status-case';
import type { Harness } from './harness';

/** Operations of keys of one's own. */
const forPeople = ['listOwnApiKeys', 'createOwnApiKey', 'deleteOwnApiKey'];

/** The stack's own key, or for what people alone may do, somebody's access token. */
async function keyFor(operationId: string, { stack, newPerson }: Harness): Promise<string> {
  return forPeople.includes(operationId) ? newPerson() : stack.target.apiKey;
}

/** Sends the request of a case. The stack's own `fetch` holds the answer to the contract. */
export async function sendCase(
  contract: Contract,
  harness: Harness,
  { operationId, request }: StatusCase,
): Promise<HttpResponse> {
  const operation = contract.operations.get(operationId);
  if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
  const { target } = harness.stack;
  const { path, query = {}, body, headers = {}, ...given } = (await request?.(harness)) ?? {};
  const key = given.key === undefined ? await keyFor(operationId, harness) : given.key;
  const ids: Record<string, string> = { ...harness.ids, ...path };
  const filled = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '');
  const url = new URL(target.baseUrl + filled);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const isRaw = body instanceof FormData || Buffer.isBuffer(body);
  return target.fetch(url, {
    method: operation.method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body !== undefined && !isRaw && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: isRaw ? (body as FormData | Buffer<ArrayBuffer>) : JSON.stringify(body),
    }),
  });
}
