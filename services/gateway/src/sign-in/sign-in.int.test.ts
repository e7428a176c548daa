import type { Collection } from 'mongodb';
import * as harness from '../testing/fake-data';
import { startGateway, type TestGateway } from '../testing/start-gateway';
import { pageOrigin, usualPeople, type TestProvider } from '../testing/start-oidc-provider';
import { startWithSignIn, type SignInGateway } from '../testing/start-with-sign-in';
import { locationOf, TestBrowser } from '../testing/test-browser';
import { tokenHash } from './seal';
import type { SessionDocument, SignInDocument } from './store/sessions-store';

let running: SignInGateway | undefined;
let provider: TestProvider;
let gateway: TestGateway;
let sessions: Collection<SessionDocument>;
let signIns: Collection<SignInDocument>;
let browser: TestBrowser;

beforeAll(async () => {
  running = await startWithSignIn([
    { group: 'team-a', role: 'maintainer', projects: ['web-shop'] },
  ]);
  ({ provider, gateway, sessions, signIns } = running);
});
afterAll(() => running?.stop());
beforeEach(() => {
  browser = new TestBrowser(gateway.port);
});

const cookie = 'bomtrail_session';
const sessionOf = (one: TestBrowser) => one.of(pageOrigin).get(cookie);

async function codeOf(response: Response): Promise<unknown> {
  return ((await response.json()) as { code?: string }).code;
}

async function me(one: TestBrowser): Promise<number> {
  return (await one.fetch('/api/v1/me')).status;
}

/** Lets the provider be asked again at the next call. */
async function expireFreshness(): Promise<void> {
  await sessions.updateMany({}, { $set: { fresh_until: new Date(0) } });
  // A cached session is at most this old.
  await new Promise((resolve) => setTimeout(resolve, 5_200));
}

describe('Sign-in', () => {
  test('by the code flow gives a session that says who it is, and nothing secret to scripts', async () => {
    const callback = await browser.authorize('kim', '/findings?severity=high');
    const response = await browser.fetch(callback);
    expect([response.status, locationOf(response)]).toEqual([303, '/findings?severity=high']);
    const set = response.headers.getSetCookie().find((one) => one.startsWith(cookie));
    expect(set).toMatch(/; Path=\/;.*HttpOnly; SameSite=Strict$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const own = (await (await browser.fetch('/api/v1/me')).json()) as object;
    expect(own).toMatchObject({
      kind: 'person',
      person: { issuer: provider.issuer, subject: 'kim', name: 'Kim', email: 'kim@example.org' },
      roles: [{ role: 'maintainer', project_ids: [harness.projectId] }],
    });
  });

  test('stores a hash of the session, and no token in the clear', async () => {
    await browser.signIn('kim');
    const token = sessionOf(browser) ?? '';
    const stored = await sessions.findOne({ _id: tokenHash(token) });
    expect(stored?.person.subject).toBe('kim');
    expect(JSON.stringify(stored)).not.toContain(token);
    const sealed = Buffer.from((stored?.sealed as { buffer: Uint8Array }).buffer).toString(
      'latin1',
    );
    expect(sealed).not.toContain('refresh_token');
  });

  test('asks the provider with PKCE, state and nonce', async () => {
    const url = new URL(locationOf(await browser.fetch('/auth/sign-in')));
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: `${pageOrigin}/auth/callback`,
    });
  });

  test('of somebody without a role is one, and says so', async () => {
    await browser.signIn('sam');
    const refused = await browser.fetch('/api/v1/projects');
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'insufficient_scope']);
    expect(await me(browser)).toBe(200);
  });
});

test('100,000 sign-ins that nobody ends keep nobody else from signing in', async () => {
  const abandoned = Array.from({ length: 100_000 }, (_, n) => ({
    _id: `abandoned-${n}`,
    state: 'x',
    nonce: 'x',
    code_verifier: 'x',
    return_to: '/',
    created_at: new Date(Date.now() - 60_000 + n / 10),
  }));
  await signIns.insertMany(abandoned, { ordered: false });
  expect(await browser.signIn('kim', '/projects')).toBe('/projects');
  expect(await me(browser)).toBe(200);
  // Those that were begun first have given way.
  expect(await signIns.countDocuments({ _id: 'abandoned-0' })).toBe(0);
  await signIns.deleteMany({});
});

describe('Refused', () => {
  const failed = (why: string) => `/?sign_in_error=${why}`;

  test('a callback that is replayed', async () => {
    const callback = await browser.authorize('kim');
    const before = new Map(browser.of(pageOrigin));
    expect(locationOf(await browser.fetch(callback))).toBe('/');
    for (const [name, value] of before) browser.of(pageOrigin).set(name, value);
    expect(locationOf(await browser.fetch(callback))).toBe(failed('expired'));
  });

  test('a code that was used, in another sign-in', async () => {
    const used = new URL(await browser.authorize('kim'));
    await browser.fetch(used.href);
    const next = new URL(await browser.authorize('kim', '/findings?kev=true'));
    next.searchParams.set('code', used.searchParams.get('code') ?? '');
    const view = '/findings?kev=true&sign_in_error=refused';
    expect(locationOf(await browser.fetch(next.href))).toBe(view);
  });

  test('a callback of another browser (login CSRF)', async () => {
    const attacker = new TestBrowser(gateway.port);
    const callback = await attacker.authorize('sam');
    expect(locationOf(await browser.fetch(callback))).toBe(failed('expired'));
    await browser.fetch('/auth/sign-in');
    expect(locationOf(await browser.fetch(callback))).toBe(failed('refused'));
    expect(sessionOf(browser)).toBeUndefined();
  });

  test.each([
    ['another issuer (mix-up)', 'iss', 'https://evil.example'],
    ['no issuer', 'iss', null],
    ['another state', 'state', 'x'.repeat(43)],
    ['no state', 'state', null],
    ['an invented code', 'code', 'x'.repeat(43)],
  ])('a callback with %s', async (_what, name, value) => {
    const callback = new URL(await browser.authorize('kim'));
    if (value === null) callback.searchParams.delete(name);
    else callback.searchParams.set(name, value);
    expect(locationOf(await browser.fetch(callback.href))).toBe(failed('refused'));
    expect(sessionOf(browser)).toBeUndefined();
  });

  test('an error of the provider', async () => {
    const callback = new URL(await browser.authorize('kim'));
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    expect(locationOf(await browser.fetch(callback.href))).toBe(failed('refused'));
  });

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', '/api/v1/projects'])(
    'an open redirect to %s',
    async (address) => {
      expect(await browser.signIn('kim', address)).toBe('/');
    },
  );

  test('a session from before the sign-in (fixation)', async () => {
    const attacker = new TestBrowser(gateway.port);
    await attacker.signIn('kim');
    const fixed = sessionOf(attacker) ?? '';
    browser.of(pageOrigin).set(cookie, fixed);
    await browser.signIn('kim');
    expect(sessionOf(browser)).not.toBe(fixed);
    expect(await me(browser)).toBe(200);
    expect(await me(attacker)).toBe(401);
    const invented = 'x'.repeat(43);
    const other = new TestBrowser(gateway.port);
    other.of(pageOrigin).set(cookie, invented);
    await other.signIn('kim');
    expect(sessionOf(other)).not.toBe(invented);
  });

  test('a change that another site sends with the cookie (CSRF)', async () => {
    await browser.signIn('kim');
    const path = `/api/v1/projects/${harness.projectId}`;
    const own = { 'x-bomtrail-request': '1', 'content-type': 'application/json' };
    const cases: Record<string, string>[] = [
      { 'content-type': 'application/json', origin: pageOrigin, 'sec-fetch-site': 'same-origin' },
      { ...own, origin: 'https://evil.example' },
      { ...own, origin: pageOrigin, 'sec-fetch-site': 'cross-site' },
      { ...own, origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, 'sec-fetch-site': 'none' },
      { ...own, origin: 'null' },
      own,
    ];
    for (const headers of cases) {
      const response = await browser.fetch(path, { method: 'PATCH', headers, body: '{}' });
      expect([headers, response.status, await codeOf(response)]).toEqual([
        headers,
        403,
        'cross_site_request',
      ]);
    }
    const signOut = await browser.fetch('/auth/sign-out', { method: 'POST' });
    expect(signOut.status).toBe(403);
    expect((await browser.change('PATCH', path, {})).status).toBe(200);
  });

  test('an ended session, and a header beside a cookie counts before it', async () => {
    await browser.signIn('kim');
    await sessions.updateMany({}, { $set: { expires_at: new Date(0) } });
    await new Promise((resolve) => setTimeout(resolve, 5_200));
    const response = await browser.fetch('/api/v1/me');
    expect([response.status, await codeOf(response)]).toEqual([401, 'session_ended']);
    const wrong = await browser.fetch('/api/v1/me', { headers: { authorization: 'Bearer x' } });
    expect(await codeOf(wrong)).toBe('invalid_api_key');
  });
});

describe('Log-out', () => {
  test('ends the session here and says where the provider ends its own', async () => {
    await browser.signIn('kim');
    const token = sessionOf(browser) ?? '';
    const response = await browser.change('POST', '/auth/sign-out');
    const { end_session_url } = (await response.json()) as { end_session_url: string };
    expect(end_session_url).toMatch(
      new RegExp(`^${provider.issuer}/session/end\\?.*id_token_hint=`),
    );
    expect(sessionOf(browser)).toBeUndefined();
    browser.of(pageOrigin).set(cookie, token);
    expect(await me(browser)).toBe(401);
  });

  test('a session that another process ends is refused within 5 seconds', async () => {
    await browser.signIn('kim');
    expect(await me(browser)).toBe(200);
    const _id = tokenHash(sessionOf(browser) ?? '');
    await sessions.updateOne({ _id }, { $set: { revoked_at: new Date() } });
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(await me(browser)).toBe(401);
  });
});

describe('Renewal', () => {
  test('takes over what the provider now says, also a role that is lost', async () => {
    await browser.signIn('kim');
    expect((await browser.fetch('/api/v1/projects')).status).toBe(200);
    const id = tokenHash(sessionOf(browser) ?? '');
    await expireFreshness();
    expect(await me(browser)).toBe(200);
    const renewed = await sessions.findOne({ _id: id });
    expect(renewed?.fresh_until.getTime()).toBeGreaterThan(Date.now());
  });

  test('that the provider refuses ends the session', async () => {
    await browser.signIn('kim');
    // The provider keeps its grants in memory: after a restart it knows none.
    await provider.change(usualPeople);
    await expireFreshness();
    const response = await browser.fetch('/api/v1/me');
    expect([response.status, await codeOf(response)]).toEqual([401, 'session_ended']);
  });

  test('while the provider is away sessions go on, and a new sign-in is told so', async () => {
    await browser.signIn('kim');
    await provider.stop();
    await expireFreshness();
    expect(await me(browser)).toBe(200);
    const other = new TestBrowser(gateway.port);
    const begun = locationOf(await other.fetch('/auth/sign-in?return_to=%2Fplan'));
    // The provider's description is known: the browser is sent there and finds nobody.
    expect(begun.startsWith(provider.issuer)).toBe(true);
    const callback = new URL(`${pageOrigin}/auth/callback`);
    const { searchParams } = new URL(begun);
    callback.searchParams.set('state', searchParams.get('state') ?? '');
    callback.searchParams.set('iss', provider.issuer);
    callback.searchParams.set('code', 'x');
    expect(locationOf(await other.fetch(callback.href))).toBe('/plan?sign_in_error=unavailable');
    const signOut = await browser.change('POST', '/auth/sign-out');
    expect(signOut.status).toBe(200);
    expect(sessionOf(browser)).toBeUndefined();
    await provider.start();
  });
});

test('without an identity provider there is no sign-in, and a cookie is nothing', async () => {
  const without = await startGateway();
  try {
    const other = new TestBrowser(without.port);
    other.of(pageOrigin).set(cookie, 'x'.repeat(43));
    expect((await other.fetch('/auth/sign-in')).status).toBe(404);
    expect(await codeOf(await other.fetch('/api/v1/me'))).toBe('missing_api_key');
    const version = (await (await other.fetch('/version')).json()) as { sign_in: boolean };
    expect(version.sign_in).toBe(false);
  } finally {
    await without.stop();
  }
});
