import type { Request } from 'express';
import { parse } from 'node:querystring';

/**
 * Parses a query. Express's parser silently drops parameters after the thousandth; here the length
 * of the request line is the limit.
 */
export function parseQuery(text: string): Request['query'] {
  return parse(text, '&', '=', { maxKeys: 0 }) as Request['query'];
}
