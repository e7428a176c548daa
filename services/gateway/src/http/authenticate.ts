import { AppError } from '@bomtrail/messages';
import type { Request, RequestHandler, Response } from 'express';
import { bearerKey } from '../api-keys/domain/bearer-key';
import type { Caller } from '../api-keys/domain/caller';
import {
  checkApiKey,
  recheckApiKey,
  type CheckApiKeyDeps,
  type RecheckApiKeyDeps,
} from '../api-keys/check-api-key';
import { clientOn } from './client-on';

/** Requires a valid key for everything under `/api/v1`, including unknown paths. */
export function authenticate(deps: CheckApiKeyDeps): RequestHandler {
  return async (request, response, next) => {
    const key = bearerKey(request.headers.authorization);
    if (!key) throw new AppError('missing_api_key');
    response.locals.caller = await checkApiKey(deps, { key, address: clientOn(response) });
    next();
  };
}

/**
 * Rejects an authenticated request whose key was revoked or has expired since. @throws as
 * `recheckApiKey`
 */
export async function authenticateAgain(
  deps: RecheckApiKeyDeps,
  { headers }: Pick<Request, 'headers'>,
): Promise<void> {
  await recheckApiKey(deps, bearerKey(headers.authorization) ?? '');
}

/** The authenticated caller. */
export function callerOn(response: Response): Caller {
  const { caller } = response.locals as { caller?: Caller };
  if (!caller) throw new Error('The request was not authenticated.');
  return caller;
}
