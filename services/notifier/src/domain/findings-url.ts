/**
 * Address of the findings, for people: the page's, or the list of the API where there is no page
 * (`WEB_PAGE=false`, or `PUBLIC_URL` with a path, below which the page cannot be).
 *
 * @returns without a query; undefined without `PUBLIC_URL`
 */
export function findingsUrlOf(settings: {
  PUBLIC_URL?: string | undefined;
  WEB_PAGE: boolean;
}): string | undefined {
  if (settings.PUBLIC_URL === undefined) return undefined;
  const { origin, pathname } = new URL(settings.PUBLIC_URL);
  const base = `${origin}${pathname.replace(/\/+$/, '')}`;
  const hasPage = settings.WEB_PAGE && base === origin;
  return `${base}${hasPage ? '/findings' : '/api/v1/vulnerabilities/active'}`;
}
