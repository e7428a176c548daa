import { loadContract, operationsOf } from './contract';
import { dereference } from './dereference';
import type { ResponseObject } from './schema';

const { document } = loadContract();
const resolved = dereference(document);
const operations = operationsOf(resolved).map(({ operation }) => operation);
const others = Object.entries(resolved['x-other-responses'] ?? {});
const responses: [where: string, status: string, response: ResponseObject][] = [
  ...operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(
      ([status, response]) => [operationId, status, response] as [string, string, ResponseObject],
    ),
  ),
  ...others.map(
    ([status, response]) => ['no operation', status, response] as [string, string, ResponseObject],
  ),
];

/** The required headers of a response, besides `X-Request-Id` (docs/rules.md H1). */
function headersOf(where: string, status: string): string[] {
  if (status === '401') return ['WWW-Authenticate'];
  if (status === '405' || (where === 'no operation' && status === '204')) return ['Allow'];
  // Readiness has no Retry-After: its status is the answer, and clients may poll as they like.
  if (status === '429' || (status === '503' && where !== 'getReadiness')) return ['Retry-After'];
  if (where === 'downloadSbom' && status === '200') return ['ETag', 'Content-Disposition'];
  if (['getSbom', 'getVulnerability'].includes(where) && status === '200') return ['ETag'];
  if (status === '304') return ['ETag'];
  return [];
}

/** The example bodies of a response: its own, else those of its schema. */
function examplesOf(response: ResponseObject): unknown[] {
  const { schema, examples } = response.content?.['application/json'] ?? { schema: {} };
  if (examples) return Object.values(examples).map(({ value }) => value);
  return (schema.examples as unknown[] | undefined) ?? [];
}

test('every response has exactly its required headers', () => {
  for (const [where, status, { headers = {} }] of responses) {
    const required = Object.keys(headers).filter((name) => headers[name]?.required);
    expect([where, status, required.sort()]).toEqual([
      where,
      status,
      ['X-Request-Id', ...headersOf(where, status)].sort(),
    ]);
  }
});

test('every response with a body has an example', () => {
  const withoutExample = responses.filter(
    ([, , response]) => response.content && examplesOf(response).length === 0,
  );
  expect(withoutExample.map(([where, status]) => `${where} ${status}`)).toEqual([]);
});

test('every request with a body has an example', () => {
  const withoutExample = operations.filter(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some(
      ({ examples, schema }) => !examples && !schema.examples,
    ),
  );
  expect(withoutExample.map(({ operationId }) => operationId)).toEqual([]);
});

test('the examples contain every error code of the list, and no other', () => {
  const used = responses
    .flatMap(([, , response]) => examplesOf(response))
    .map((body) => (body as { code?: unknown } | null)?.code)
    .filter((code) => code !== undefined);
  expect([...new Set(used)].sort()).toEqual(
    [...(resolved.components.schemas.ErrorCode!.enum ?? [])].sort(),
  );
});

test('the description of the error codes names each of them', () => {
  const { description, enum: codes = [] } = resolved.components.schemas.ErrorCode!;
  const unnamed = codes.filter(
    (code) =>
      !String(description).includes(`\`${String(code)}\``) && !String(code).endsWith('not_found'),
  );
  expect(unnamed).toEqual([]);
});

test('deprecated operations, and only these, have a removal date', () => {
  for (const { operationId, deprecated = false, ...operation } of operations) {
    expect([operationId, operation['x-removal-date'] !== undefined]).toEqual([
      operationId,
      deprecated,
    ]);
  }
});
