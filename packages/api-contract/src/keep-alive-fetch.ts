import { operationFinder } from './find-operation';
import { checkResponse } from './response-check';
import type { Contract } from './types';

/** A `fetch` for tests, and every breach of the contract that it has seen. */
export interface KeepAliveFetch {
  fetch: typeof fetch;
  breaches: readonly string[];
}

/** The reference page stands beside the contract, not in it. */
const referencePage = /^\/api\/docs(\/|$)/;

/**
 * For tests: a `fetch` that holds every answer to the contract: its status, its body and its headers.
 * An answer that breaks it is thrown as an error and remembered in `breaches`, so that a test which
 * expects some error does not hide it: whoever makes this looks there at the end.
 *
 * @param send what makes the calls; `fetch` when omitted
 */
export function keepAliveFetch(contract: Contract, send: typeof fetch = fetch): KeepAliveFetch {
  const find = operationFinder(contract.operations.values());
  const breaches: string[] = [];

  async function breachesOf(method: string, path: string, response: Response): Promise<string[]> {
    const operation = find(method, path);
    if (!operation && referencePage.test(path)) return [];
    const { status, headers } = response;
    const read = await bodyOf(response);
    if (read === 'not JSON') return [`${method} ${path} ${status}: the body is not JSON`];
    const breaks = checkResponse(contract, {
      operationId: operation?.operationId ?? null,
      status,
      headers,
      body: read === 'cut' ? undefined : read.body,
      checkBody: read !== 'cut' && method !== 'HEAD',
    });
    const isSilent = operation?.removalDate && !headers.has('deprecation');
    return isSilent ? [...breaks, `${method} ${path}: is deprecated and does not say so`] : breaks;
  }

  return {
    breaches,
    async fetch(input, init) {
      const { method, url } = new Request(input, { method: init?.method ?? 'GET' });
      const response = await send(input, init);
      const found = await breachesOf(method, new URL(url).pathname, response);
      breaches.push(...found);
      if (found.length > 0) throw new Error(`The contract is broken:\n${found.join('\n')}`);
      return response;
    },
  };
}

/** The parsed body of a copy. An answer that is cut while it is sent is the test's own matter. */
async function bodyOf(response: Response): Promise<{ body: unknown } | 'cut' | 'not JSON'> {
  let text: string;
  try {
    text = await response.clone().text();
  } catch {
    return 'cut';
  }
  try {
    return { body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return 'not JSON';
  }
}
