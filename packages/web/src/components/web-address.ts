/** The address if it is one of the web: what advisories call a reference may be anything. */
export function webAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}
