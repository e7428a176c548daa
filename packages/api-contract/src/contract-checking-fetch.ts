import { operationFinder } from './find-operation';
import { checkResponse } from './response-check';
import type { Contract } from './types';

/** A `fetch` for tests that records violations of the contract. */
export interface ContractCheckingFetch {
  fetch: typeof fetch;
  violations: readonly string[];
}

/** Media types beside JSON. */
const otherMediaTypes = ['text/csv', 'application/vnd.cyclonedx+json'];

/** The reference page is not part of the contract. */
const referencePage = /^\/api\/docs(\/|$)/;

/**
 * For tests: a `fetch` that checks status, body and headers of every response against the contract.
 * A violation is thrown and recorded in `violations`, because a test that expects some error would
 * hide it: check `violations` at the end.
 *
 * @param send the underlying `fetch`; default: the global one
 */
export function contractCheckingFetch(
  contract: Contract,
  send: typeof fetch = fetch,
): ContractCheckingFetch {
  const find = operationFinder(contract.operations.values());
  const violations: string[] = [];

  async function violationsOf(method: string, path: string, response: Response): Promise<string[]> {
    const operation = find(method, path);
    if (!operation && referencePage.test(path)) return [];
    const { status, headers } = response;
    const read = await bodyOf(response);
    const type = headers.get('content-type') ?? '';
    const otherMediaType = otherMediaTypes.find((one) => type.startsWith(one)) ?? null;
    if (read === 'not JSON' && otherMediaType === null)
      return [`${method} ${path} ${status}: the body is not JSON`];
    const breaks = checkResponse(contract, {
      operationId: operation?.operationId ?? null,
      status,
      headers,
      body: typeof read === 'string' ? undefined : read.body,
      otherMediaType,
      checkBody: read !== 'cut' && method !== 'HEAD',
    });
    const lacksDeprecation = operation?.removalDate && !headers.has('deprecation');
    return lacksDeprecation
      ? [...breaks, `${method} ${path}: deprecated, but without a Deprecation header`]
      : breaks;
  }

  return {
    violations,
    async fetch(input, init) {
      const { method, url } = new Request(input, { method: init?.method ?? 'GET' });
      const response = await send(input, init);
      const found = await violationsOf(method, new URL(url).pathname, response);
      violations.push(...found);
      if (found.length > 0)
        throw new Error(`The response violates the contract:\n${found.join('\n')}`);
      return response;
    },
  };
}

/** The parsed body of a copy; `cut` if the response ends early, which is up to the test. */
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
