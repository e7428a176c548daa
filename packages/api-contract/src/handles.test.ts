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
  ...others.map(([status, response]) => ['no operation', status, response] as never),
];

/** The headers that an answer always carries, beside `X-Request-Id` (docs/rules.md H1). */
function headersOf(where: string, status: string): string[] {
  if (status === '401') return ['WWW-Authenticate'];
  if (status === '405' || (where === 'no operation' && status === '204')) return ['Allow'];
  // Readiness says what is away; it is asked again as often as the one who asks likes.
  if (status === '429' || (status === '503' && where !== 'getReadiness')) return ['Retry-After'];
  if (where === 'downloadSbom' && status === '200') return ['ETag', 'Content-Disposition'];
  if (['getSbom', 'getVulnerability'].includes(where) && status === '200') return ['ETag'];
  if (status === '304') return ['ETag'];
  return [];
}

/** The bodies that the contract shows for an answer: beside it, else beside its schema. */
function examplesOf(response: ResponseObject): unknown[] {
  const { schema, examples } = response.content?.['application/json'] ?? { schema: {} };
  if (examples) return Object.values(examples).map(({ value }) => value);
  return (schema.examples as unknown[] | undefined) ?? [];
}

test('every answer has exactly the headers that are promised for it', () => {
  for (const [where, status, { headers = {} }] of responses) {
    const required = Object.keys(headers).filter((name) => headers[name]?.required);
    expect([where, status, required.sort()]).toEqual([
      where,
      status,
      ['X-Request-Id', ...headersOf(where, status)].sort(),
    ]);
  }
});

test('every answer with a body shows an example', () => {
  const silent = responses.filter(
    ([, , response]) => response.content && examplesOf(response).length === 0,
  );
  expect(silent.map(([where, status]) => `${where} ${status}`)).toEqual([]);
});

test('every request with a body shows an example', () => {
  const silent = operations.filter(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some(
      ({ examples, schema }) => !examples && !schema.examples,
    ),
  );
  expect(silent.map(({ operationId }) => operationId)).toEqual([]);
});

test('every error code is shown in an example, and none is shown that is not listed', () => {
  const shown = responses
    .flatMap(([, , response]) => examplesOf(response))
    .map((body) => (body as { code?: unknown } | null)?.code)
    .filter((code) => code !== undefined);
  expect([...new Set(shown)].sort()).toEqual(
    [...(resolved.components.schemas.ErrorCode!.enum ?? [])].sort(),
  );
});

test('the description of the codes names each of them', () => {
  const { description, enum: codes = [] } = resolved.components.schemas.ErrorCode!;
  const unnamed = codes.filter(
    (code) =>
      !String(description).includes(`\`${String(code)}\``) && !String(code).endsWith('not_found'),
  );
  expect(unnamed).toEqual([]);
});

test('a deprecated operation has a date of removal, and only such a one', () => {
  for (const { operationId, deprecated = false, ...operation } of operations) {
    expect([operationId, operation['x-removal-date'] !== undefined]).toEqual([
      operationId,
      deprecated,
    ]);
  }
});
