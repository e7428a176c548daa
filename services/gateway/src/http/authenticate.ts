import { AppError } from '@bomtrail/messages';
import type { Request, RequestHandler, Response } from 'express';
import {
  checkCaller,
  recheckCaller,
  type CheckCallerDeps,
  type Credentials,
  type RecheckCallerDeps,
} from '../access/check-caller';
import { bearerKey } from '../api-keys/domain/bearer-key';
import type { Caller } from '../api-keys/domain/caller';
import { expectOwnPage } from '../sign-in/own-page';
import { sessionTokenOf } from '../sign-in/session-cookie';
import { clientOn } from './client-on';

/** Requires a valid caller for everything under `/api/v1`, including unknown paths. */
export function authenticate(deps: CheckCallerDeps): RequestHandler {
  return async (request, response, next) => {
    const credentials = credentialsIn(deps, request);
    if (!credentials) throw new AppError('missing_api_key');
    if (credentials.kind === 'session') expectOwnPage(request, deps.people?.origin);
    const address = clientOn(response);
    response.locals.caller = await checkCaller(deps, { credentials, address });
    next();
  };
}

/**
 * The caller of an authenticated request as of now. @throws as `recheckCaller`, e.g. after a
 * revocation
 */
export async function authenticateAgain(
  deps: RecheckCallerDeps,
  request: Pick<Request, 'headers'>,
): Promise<Caller> {
  const credentials = credentialsIn(deps, request);
  if (!credentials) throw new AppError('missing_api_key');
  return recheckCaller(deps, credentials);
}

/** The header counts before the cookie, so that a key on the page is what it says. */
function credentialsIn(
  { people }: Pick<CheckCallerDeps, 'people'>,
  { headers }: Pick<Request, 'headers'>,
): Credentials | null {
  if (headers.authorization !== undefined) {
    const text = bearerKey(headers.authorization);
    return text === null ? null : { kind: 'bearer', text };
  }
  if (!people) return null;
  const token = sessionTokenOf(headers.cookie, people.origin.startsWith('https:'));
  return token === null ? null : { kind: 'session', token };
}

/** The authenticated caller. */
export function callerOn(response: Response): Caller {
  const { caller } = response.locals as { caller?: Caller };
  if (!caller) throw new Error('The request was not authenticated.');
  return caller;
}
