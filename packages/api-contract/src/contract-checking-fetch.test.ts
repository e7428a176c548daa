import { loadContract } from './contract';
import { contractCheckingFetch, type ContractCheckingFetch } from './contract-checking-fetch';

const contract = loadContract();
const id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';
const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
const service = { id, name: 'Checkout', project_id: id, latest_sbom: null, counts };
const services = 'http://test/api/v1/services';

/**
 * A checking fetch that always gets this response, with a request id unless `headers` override it.
 */
function responding(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ContractCheckingFetch {
  const text = body === undefined ? null : JSON.stringify(body);
  return contractCheckingFetch(
    contract,
    async () => new Response(text, { status, headers: { 'x-request-id': 'r', ...headers } }),
  );
}

describe('a response that conforms to the contract', () => {
  test('is returned with its body unread', async () => {
    const { fetch, violations } = responding(200, [service]);
    expect(await (await fetch(services)).json()).toEqual([service]);
    expect(violations).toEqual([]);
  });

  test.each<[string, string, ContractCheckingFetch]>([
    ['HEAD', services, responding(200, undefined)],
    [
      'PUT',
      services,
      responding(405, { detail: 'x', code: 'method_not_allowed' }, { allow: 'GET' }),
    ],
    ['OPTIONS', services, responding(204, undefined, { allow: 'GET' })],
    ['GET', 'http://test/nothing?x=1', responding(404, { detail: 'x', code: 'not_found' })],
    ['GET', 'http://test/api/docs', responding(200, undefined)],
  ])('may be for %s %s', async (method, url, { fetch, violations }) => {
    await fetch(url, { method });
    expect(violations).toEqual([]);
  });

  test('may end early', async () => {
    const { fetch, violations } = contractCheckingFetch(contract, async () => {
      const body = new ReadableStream({ pull: (stream) => stream.error(new Error('cut')) });
      return new Response(body, { headers: { 'x-request-id': 'r' } });
    });
    await expect((await fetch(services)).text()).rejects.toThrow('cut');
    expect(violations).toEqual([]);
  });
});

test.each<[string, string, ContractCheckingFetch]>([
  ['with an undeclared field', services, responding(200, [{ ...service, more: 1 }])],
  ['without a field', services, responding(200, [{ ...service, name: undefined }])],
  ['of an undeclared status', services, responding(404, { detail: 'x', code: 'not_found' })],
  ['of another shape', 'http://test/nothing', responding(404, { detail: 'x' })],
  ['without a body', 'http://test/nothing', responding(200, undefined)],
  ['without a header', services, responding(401, { detail: 'x', code: 'missing_api_key' })],
  [
    'that is not JSON',
    services,
    contractCheckingFetch(
      contract,
      async () => new Response('<html>', { headers: { 'x-request-id': 'r' } }),
    ),
  ],
])('a response %s is thrown and recorded', async (_what, url, { fetch, violations }) => {
  await expect(fetch(url)).rejects.toThrow('The response violates the contract');
  expect(violations).toHaveLength(1);
});
