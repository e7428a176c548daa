import type { ContractOperation } from '@bomtrail/api-contract';
import type { Request, Response } from 'express';
import { parse } from 'node:querystring';
import { withoutSecrets } from '../api-keys/domain/api-key';

/**
 * Parses a query. Express's parser silently drops parameters after the thousandth; here the length
 * of the request line is the limit.
 */
export function parseQuery(text: string): Request['query'] {
  return parse(text, '&', '=', { maxKeys: 0 }) as Request['query'];
}

/** Lists ignored query parameters in `Warning` (docs/rules.md H6). */
export function warnOfIgnoredQuery(
  { validators }: ContractOperation,
  { query }: Pick<Request, 'query'>,
  response: Pick<Response, 'set'>,
): void {
  const names = validators.ignoredQuery(query as Record<string, string | string[]>);
  if (names.length > 0) response.set('Warning', names.map(warningOf).join(', '));
}

/** Percent-encodes a name for the header, which allows no quotes, line ends or non-ASCII. */
function warningOf(name: string): string {
  const logged = encodeURIComponent(withoutSecrets(name.replace(/\p{Surrogate}/gu, '\uFFFD')));
  return `299 - "unknown query parameter '${logged}' is ignored"`;
}
