import { loadContract } from './contract';
import { keepAliveFetch, type KeepAliveFetch } from './keep-alive-fetch';

const contract = loadContract();
const id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';
const service = { id, name: 'Checkout', project_id: id };
const services = 'http://test/api/v1/services';

/** A held fetch whose every call is answered so, with an id unless `headers` say otherwise. */
function answering(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): KeepAliveFetch {
  const text = body === undefined ? null : JSON.stringify(body);
  return keepAliveFetch(
    contract,
    async () => new Response(text, { status, headers: { 'x-request-id': 'r', ...headers } }),
  );
}

describe('an answer as the contract says', () => {
  test('is handed on, its body unread', async () => {
    const { fetch, breaches } = answering(200, [service]);
    expect(await (await fetch(services)).json()).toEqual([service]);
    expect(breaches).toEqual([]);
  });

  test.each<[string, string, KeepAliveFetch]>([
    ['HEAD', services, answering(200, undefined)],
    [
      'PUT',
      services,
      answering(405, { detail: 'x', code: 'method_not_allowed' }, { allow: 'GET' }),
    ],
    ['OPTIONS', services, answering(204, undefined, { allow: 'GET' })],
    ['GET', 'http://test/nothing?x=1', answering(404, { detail: 'x', code: 'not_found' })],
    ['GET', 'http://test/api/docs', answering(200, undefined)],
  ])('may be one to %s %s', async (method, url, { fetch, breaches }) => {
    await fetch(url, { method });
    expect(breaches).toEqual([]);
  });

  test('may be cut while it is sent, which is the matter of the test', async () => {
    const { fetch, breaches } = keepAliveFetch(contract, async () => {
      const body = new ReadableStream({ pull: (stream) => stream.error(new Error('cut')) });
      return new Response(body, { headers: { 'x-request-id': 'r' } });
    });
    await expect((await fetch(services)).text()).rejects.toThrow('cut');
    expect(breaches).toEqual([]);
  });
});

test.each<[string, string, KeepAliveFetch]>([
  ['with a field that is not listed', services, answering(200, [{ ...service, more: 1 }])],
  ['without a field', services, answering(200, [{ id, name: 'x' }])],
  ['of a status that is not listed', services, answering(404, { detail: 'x', code: 'not_found' })],
  ['of another shape', 'http://test/nothing', answering(404, { detail: 'x' })],
  ['where there should be nothing', 'http://test/nothing', answering(200, undefined)],
  ['without a header', services, answering(401, { detail: 'x', code: 'missing_api_key' })],
  [
    'that is no JSON',
    services,
    keepAliveFetch(
      contract,
      async () => new Response('<html>', { headers: { 'x-request-id': 'r' } }),
    ),
  ],
])('an answer %s is thrown, and remembered', async (_what, url, { fetch, breaches }) => {
  await expect(fetch(url)).rejects.toThrow('The contract is broken');
  expect(breaches).toHaveLength(1);
});
