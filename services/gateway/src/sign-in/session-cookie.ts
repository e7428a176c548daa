/** 256 random bits, base64url. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** `__Host-`: only over https, for this host alone, so that no other one can set it. */
const secureName = '__Host-bomtrail_session';
const plainName = 'bomtrail_session';

/** The name of a cookie on a page with or without TLS. */
export function cookieName(name: 'session' | 'sign_in', isSecure: boolean): string {
  if (name === 'session') return isSecure ? secureName : plainName;
  return isSecure ? '__Host-bomtrail_sign_in' : 'bomtrail_sign_in';
}

/**
 * The token of the session; null: none, or not of the right form.
 *
 * @param header `Cookie`
 * @param isSecure whether the page has TLS; then the other name, which sibling hosts can set, is ignored
 */
export function sessionTokenOf(header: string | undefined, isSecure: boolean): string | null {
  const token = cookieOf(header, cookieName('session', isSecure));
  return token !== null && tokenForm.test(token) ? token : null;
}

/** The value of a cookie; null if it is absent or there are several. */
export function cookieOf(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
}
