import { isPageAddress } from '../web/page-routes';

/**
 * The address of the page to return to after a sign-in: a path of this page and nothing else, so that
 * a link cannot send people to another site (docs/rules.md AU7).
 */
export function returnAddress(given: unknown, origin: string): string {
  if (typeof given !== 'string' || !given.startsWith('/') || given.length > 2_000) return '/';
  const url = URL.parse(given, origin);
  if (!url || url.origin !== origin || !isPageAddress(url.pathname)) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
