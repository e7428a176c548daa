import type { ContractOperation } from '@bomtrail/api-contract';
import type { StatusCase } from './status-case';

const mebibyte = 1024 * 1024;
/** The upload limit of the stack that the cases run against. */
export const maxUploadBytes = mebibyte / 4;

/** The cases that every operation has for the same reason: its key, its path, its body. */
export function casesOfEveryOperation(operations: Iterable<ContractOperation>): StatusCase[] {
  return [...operations].flatMap((operation) => [
    ...(operation.secured ? keyCases(operation) : []),
    ...pathCases(operation),
    ...unknownQueryCases(operation),
    ...(takesJson(operation) ? jsonCases(operation) : []),
  ]);
}

/** A key of any scope may read what it may do. */
const withoutScope = ['getOwnApiKey', 'getMe'];

function keyCases({ operationId, method }: ContractOperation): StatusCase[] {
  const lacks = method === 'GET' ? 'write' : 'read';
  const cases: StatusCase[] = [
    {
      operationId,
      status: 401,
      code: 'missing_api_key',
      when: 'without a key',
      request: () => ({ key: null }),
    },
    {
      operationId,
      status: 401,
      code: 'invalid_api_key',
      when: 'with a key that nobody made',
      request: () => ({ key: `bt_nobodymadeit_${'x'.repeat(43)}` }),
    },
    {
      operationId,
      status: 403,
      code: 'insufficient_scope',
      when: `with a key that has the scope ${lacks} only`,
      request: ({ readKey, writeKey }) => ({ key: lacks === 'read' ? readKey : writeKey }),
    },
  ];
  return cases.filter(({ status }) => status !== 403 || !withoutScope.includes(operationId));
}

function pathCases({ operationId, path }: ContractOperation): StatusCase[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // An advisory's id is any text.
  const ids = names.filter((name) => name !== 'advisory_id');
  return ids.map((name) => ({
    operationId,
    status: 422,
    when: `${name} is no ${name === 'dead_letter_id' ? 'number' : 'UUID'}`,
    request: () => ({ path: { [name]: 'no-uuid' } }),
  }));
}

function unknownQueryCases({ operationId, validators }: ContractOperation): StatusCase[] {
  const query = { serverity: 'critical' };
  const checked = validators.query(query);
  const isRefused = !checked.ok && checked.problems.some(({ type }) => type === 'extra_forbidden');
  if (!isRefused) return [];
  const request = () => ({ query });
  return [{ operationId, status: 422, when: 'a query parameter is unknown', request }];
}

function takesJson({ operationId, validators }: ContractOperation): boolean {
  const forms = ['uploadSbom', 'checkSbom', 'importVex'];
  return !validators.body(undefined).ok && !forms.includes(operationId);
}

function jsonCases({ operationId }: ContractOperation): StatusCase[] {
  const raw = (text: string, type = 'application/json') => ({
    body: Buffer.from(text),
    headers: { 'content-type': type },
  });
  return [
    {
      operationId,
      status: 400,
      code: 'malformed_json',
      when: 'the body is not JSON',
      request: () => raw('{"name":'),
    },
    {
      operationId,
      status: 400,
      code: 'unsupported_media_type',
      when: 'the body is sent as text',
      request: () => raw('{}', 'text/plain'),
    },
    {
      operationId,
      status: 413,
      code: 'payload_too_large',
      when: 'the body is larger than 1 MiB',
      request: () => raw(JSON.stringify({ name: 'x'.repeat(mebibyte) })),
    },
    { operationId, status: 422, when: 'the body is empty' },
    {
      operationId,
      status: 422,
      when: 'the body is no object',
      request: () => ({ body: [] }),
    },
  ];
}
