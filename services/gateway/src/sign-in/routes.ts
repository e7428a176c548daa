import { AppError } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import { Router, type Request, type Response } from 'express';
import type { AskProvider } from './ask-provider';
import { orUnavailable } from '../shared/or-unavailable';
import { expectOwnPage } from './own-page';
import { isUnreachable } from './provider-errors';
import { returnAddress } from './return-address';
import { newToken, tokenHash } from './seal';
import { cookieName, cookieOf, sessionTokenOf } from './session-cookie';
import type { Sessions } from './sessions';
import type { SessionsStore } from './store/sessions-store';

export interface SignInDeps {
  provider: AskProvider;
  sessions: Sessions;
  store: Pick<SessionsStore, 'beginSignIn' | 'takeSignIn'>;
  /** Of the page. */
  origin: string;
  now: () => Date;
  log: Logger;
}

export const callbackPath = '/auth/callback';
const signInMs = 10 * 60_000;

/** Why a sign-in failed, as the page is told. */
type Failure = 'expired' | 'refused' | 'unavailable';

/**
 * Sign-in and log-out of the page (ADR 0085). Not operations of the API: a browser is sent here.
 */
export function signInRoutes(deps: SignInDeps): Router {
  const { provider, sessions, store, origin, now, log } = deps;
  const secure = origin.startsWith('https:');
  const [session, signIn] = [cookieName('session', secure), cookieName('sign_in', secure)];
  const router = Router({ caseSensitive: true, strict: true });

  /** `strict`: not even sent when another site links here. A sign-in is finished by such a link. */
  function setCookie(
    response: Response,
    cookie: { name: string; token: string; ms: number },
  ): void {
    const { name, token, ms } = cookie;
    const sameSite = name === session ? 'strict' : 'lax';
    response.cookie(name, token, { httpOnly: true, secure, sameSite, path: '/', maxAge: ms });
  }

  function dropCookie(response: Response, name: string): void {
    setCookie(response, { name, token: '', ms: 0 });
  }

  /** @param view the address of the page that was wanted: another attempt returns to it */
  function fail(response: Response, why: Failure, view = '/'): void {
    const url = new URL(view, origin);
    url.searchParams.set('sign_in_error', why);
    response.redirect(303, `${url.pathname}${url.search}${url.hash}`);
  }

  /** Signs out of the session that the browser had before: no session survives a sign-in. */
  async function endFormer(request: Request): Promise<void> {
    const former = sessionTokenOf(request.headers.cookie, secure);
    if (former !== null) await sessions.end(former);
  }

  router.use('/auth', (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });

  router.get('/auth/sign-in', async (request, response) => {
    const return_to = returnAddress(request.query['return_to'], origin);
    try {
      const { url, ...challenge } = await provider.begin();
      const token = newToken();
      const begun = { _id: tokenHash(token), ...challenge, return_to, created_at: now() };
      await store.beginSignIn(begun);
      setCookie(response, { name: signIn, token, ms: signInMs });
      response.redirect(303, url.href);
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error }, 'Beginning a sign-in failed.');
      fail(response, 'unavailable', return_to);
    }
  });

  router.get(callbackPath, async (request, response) => {
    const token = cookieOf(request.headers.cookie, signIn);
    dropCookie(response, signIn);
    const begun = token === null ? null : await store.takeSignIn(tokenHash(token), now());
    if (!begun) return fail(response, 'expired');
    try {
      const at = request.url.indexOf('?');
      const signedIn = await provider.complete(at < 0 ? '' : request.url.slice(at), begun);
      await endFormer(request);
      const created = await sessions.create(signedIn);
      const ms = created.expiresAt.getTime() - now().getTime();
      setCookie(response, { name: session, token: created.token, ms });
      response.redirect(303, begun.return_to);
    } catch (error) {
      const away = error instanceof AppError || isUnreachable(error);
      log.warn({ err: error }, 'A sign-in failed.');
      fail(response, away ? 'unavailable' : 'refused', begun.return_to);
    }
  });

  router.post('/auth/sign-out', async (request, response) => {
    expectOwnPage(request, origin);
    const token = sessionTokenOf(request.headers.cookie, secure);
    const secrets = token === null ? null : await orUnavailable(sessions.end(token));
    dropCookie(response, session);
    // Signed out here in any case, also while the provider is away.
    const url = secrets && (await provider.end(secrets, `${origin}/`).catch(() => null));
    response.json({ end_session_url: url?.href ?? null });
  });

  return router;
}
