import { AppError } from '@bomtrail/messages';
import type { Request } from 'express';

/** The page sends it with every change; another site cannot without being asked for it first. */
export const ownPageHeader = 'x-bomtrail-request';

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that a browser sends with the session's cookie for another site
 * (docs/rules.md AU6): it needs the page's header, and `Sec-Fetch-Site` or else `Origin` must say that
 * it is the page's.
 *
 * @param origin of the page
 * @throws AppError `cross_site_request`
 */
export function expectOwnPage(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  origin: string | undefined,
): void {
  if (harmless.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin';
  const isOrigin = headers.origin === undefined || headers.origin === origin;
  if (!isOwn || !isOrigin || headers[ownPageHeader] === undefined)
    throw new AppError('cross_site_request');
}
