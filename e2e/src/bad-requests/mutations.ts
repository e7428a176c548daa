import { field, file, multipart, multipartType } from './multipart';
import type { BadRequest } from './bad-request';

/** A change of the bytes of a request; places are fractions of its length. */
export type Mutation =
  | { kind: 'replace'; at: number; byte: number }
  | { kind: 'insert'; at: number; text: string }
  | { kind: 'remove'; at: number; length: number }
  | { kind: 'repeat'; at: number; length: number };

/** What parsers trip over; in Latin-1. */
export const snippets = [
  '\r\n',
  '\n',
  '\0',
  '\xff',
  '\xc3',
  '%00',
  '%zz',
  '"',
  '{',
  '[',
  '}',
  ',',
  '\\',
  '\\ud800',
  '1e999',
  '-0',
  '9007199254740993',
  'null',
  '__proto__',
  '"__proto__":{"x":1},',
  '$gt',
  '../',
  '//',
  ';',
  '&page=0',
  '--',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: gzip\r\n',
  'Expect: 100-continue\r\n',
  'Authorization: Bearer x\r\n',
] as const;

const json = (value: object): string => JSON.stringify(value);

/** Requests with which nothing is wrong. */
export const goodRequests: readonly Omit<BadRequest, 'status' | 'title'>[] = [
  { path: '/api/v1/projects?page=1&per_page=5&name=a' },
  { path: '/api/v1/projects/$PROJECT' },
  { path: '/api/v1/projects/$PROJECT/history?per_page=2' },
  { path: '/api/v1/sboms/$SBOM' },
  { path: '/api/v1/sboms/$SBOM/download', headers: { 'accept-encoding': 'gzip' } },
  { path: '/api/v1/services?project_id=$PROJECT' },
  { path: '/api/v1/vulnerabilities/active?severity=high,low&sort=cve_id&order=asc&cve_id=CVE-1' },
  { path: '/api/v1/vulnerabilities/summary?project_id=$PROJECT' },
  { path: '/api/v1/vulnerabilities/acceptances?project_id=$PROJECT' },
  { path: '/api/v1/alert-rules?page=1' },
  { path: '/healthz' },
  { method: 'POST', body: json({ name: 'Mutant', repo_url: 'https://example.org/x' }) },
  {
    method: 'PATCH',
    path: '/api/v1/projects/$EMPTY',
    body: json({ description: 'x', platform: null }),
  },
  {
    method: 'POST',
    path: '/api/v1/vulnerabilities/acceptances',
    body: json({ project_id: '$EMPTY', vulnerability_id: '$VULNERABILITY', reason: 'x' }),
  },
  {
    method: 'PATCH',
    path: '/api/v1/alert-rules/$RULE',
    body: json({ severity_threshold: 'low', config: { recipients: ['a@example.org'] } }),
  },
  {
    method: 'POST',
    path: '/api/v1/sboms/upload',
    headers: { 'content-type': multipartType },
    body: multipart([
      field('project_id', '$PROJECT'),
      field('version', '2'),
      field('service_name', 'mutant'),
      file('$SBOMTEXT'),
    ]),
  },
];

export function mutate(bytes: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce(mutateOnce, bytes);
}

function mutateOnce(bytes: Buffer, mutation: Mutation): Buffer {
  const at = Math.floor(mutation.at * bytes.length);
  const before = bytes.subarray(0, at);
  switch (mutation.kind) {
    case 'replace':
      return Buffer.concat([before, Buffer.from([mutation.byte]), bytes.subarray(at + 1)]);
    case 'insert':
      return Buffer.concat([before, Buffer.from(mutation.text, 'latin1'), bytes.subarray(at)]);
    case 'remove':
      return Buffer.concat([before, bytes.subarray(at + mutation.length)]);
    case 'repeat':
      return Buffer.concat([before, bytes.subarray(at, at + mutation.length), bytes.subarray(at)]);
  }
}
