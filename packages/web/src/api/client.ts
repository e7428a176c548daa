import type { components, paths } from '@bomtrail/api-contract';
import createClient, { type Middleware } from 'openapi-fetch';
import { currentKey, isSignedIn, signOut } from '../app/session';
import { ApiError, errorOf, isOfProxy, parsed, unanswered } from './errors';

export type Schemas = components['schemas'];

/** Without it the server takes no change with the cookie of a session (docs/rules.md AU6). */
export const ownPageHeader = { 'X-Bomtrail-Request': 'page' } as const;

const authorize: Middleware = {
  onRequest({ request }) {
    const key = currentKey();
    if (key) request.headers.set('Authorization', `Bearer ${key}`);
  },
};

/** Tells reads and writes apart where an answer is missing, also one that ends in its middle. */
const answered: Middleware = {
  onError({ request, error }) {
    return isAbort(error) ? undefined : unanswered(request.method);
  },
  async onResponse({ request, response }) {
    if (request.method === 'GET') return undefined;
    const body = await response.text().catch(() => {
      throw unanswered(request.method);
    });
    if (isOfProxy(response.status, parsed(body))) throw unanswered(request.method);
    return new Response(body || null, response);
  },
};

/** The REST API of this server, typed from the contract. */
export const api = createClient<paths>({
  baseUrl: location.origin,
  credentials: 'same-origin',
  headers: ownPageHeader,
});
api.use(authorize, answered);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * The body of a response in JSON; the page asks for no other (lists also exist as CSV).
 *
 * @throws ApiError if the server refuses, fails or is not reached
 */
export async function bodyOf<T>(answer: Promise<Answer<T>>): Promise<Exclude<T, string>> {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    if (cause instanceof ApiError || isAbort(cause)) throw cause;
    throw unanswered('GET');
  });
  if (response.ok) return data as Exclude<T, string>;
  const failure = errorOf({
    status: response.status,
    body: error,
    header: (name) => response.headers.get(name),
  });
  if (failure.status === 401 && isSignedIn()) signOut('expired');
  throw failure;
}

function isAbort(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'AbortError';
}
