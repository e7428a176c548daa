import type { ContractOperation } from '@bomtrail/api-contract';
import type { Request, Response } from 'express';
import { parse } from 'node:querystring';
import { withoutSecrets } from '../domain/api-key';

/**
 * Parses a query. Express's own parser drops what comes after the thousandth parameter without a word; here the
 * length of an address bounds their number.
 */
export function parseQuery(text: string): Request['query'] {
  return parse(text, '&', '=', { maxKeys: 0 }) as Request['query'];
}

/** Says in `Warning` which query parameters an operation ignores (docs/rules.md H6). */
export function warnOfIgnoredQuery(
  { validators }: ContractOperation,
  { query }: Pick<Request, 'query'>,
  response: Pick<Response, 'set'>,
): void {
  const names = validators.ignoredQuery(query as Record<string, string | string[]>);
  if (names.length > 0) response.set('Warning', names.map(warningOf).join(', '));
}

/** A header has no place for quotes, line ends or other than ASCII: the name is percent-encoded, as it came. */
function warningOf(name: string): string {
  const shown = encodeURIComponent(withoutSecrets(name.replace(/\p{Surrogate}/gu, '\uFFFD')));
  return `299 - "unknown query parameter '${shown}' is ignored"`;
}
