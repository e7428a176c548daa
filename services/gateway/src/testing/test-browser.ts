import { pageOrigin } from './start-oidc-provider';

/** A browser with cookies, which follows no redirect by itself. */
export class TestBrowser {
  readonly cookies = new Map<string, Map<string, string>>();

  constructor(private readonly gatewayPort: number) {}

  /** Cookies of an origin. */
  of(origin: string): Map<string, string> {
    const found = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, found);
    return found;
  }

  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, pageOrigin);
    const jar = this.of(url.origin);
    const headers = new Headers(init.headers);
    if (jar.size > 0 && !headers.has('cookie'))
      headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const isPage = url.origin === pageOrigin;
    const target = isPage
      ? `http://127.0.0.1:${this.gatewayPort}${url.pathname}${url.search}`
      : url.href;
    const response = await fetch(target, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '' || /max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Changes with the headers that the page's own scripts send. */
  change(method: string, path: string, body?: object): Promise<Response> {
    return this.fetch(path, {
      method,
      headers: {
        'x-bomtrail-request': '1',
        'sec-fetch-site': 'same-origin',
        origin: pageOrigin,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  }

  /** Begins a sign-in and goes through the provider's form; returns the address of the callback. */
  async authorize(login: string, returnTo = '/'): Promise<string> {
    const path = `/auth/sign-in?return_to=${encodeURIComponent(returnTo)}`;
    let location = locationOf(await this.fetch(path));
    for (let step = 0; step < 10; step += 1) {
      if (location.startsWith(pageOrigin)) return location;
      const response = await this.fetch(location);
      if (response.status >= 300) {
        location = new URL(locationOf(response), location).href;
        continue;
      }
      const form = /action="([^"]+)"/.exec(await response.text())?.[1] ?? '';
      const sent = await this.fetch(new URL(form, location).href, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ prompt: 'login', login, password: 'x' }).toString(),
      });
      location = new URL(locationOf(sent), location).href;
    }
    throw new Error(`The sign-in does not end: ${location}.`);
  }

  /** Signs in; returns the address that the page then has. */
  async signIn(login: string, returnTo = '/'): Promise<string> {
    return locationOf(await this.fetch(await this.authorize(login, returnTo)));
  }
}

export function locationOf(response: Response): string {
  return response.headers.get('location') ?? `no location, status ${response.status}`;
}
