import { AppError } from '@bomtrail/messages';
import {
  checkApiKey,
  invalidCredentials,
  recheckApiKey,
  type CheckApiKeyDeps,
  type RecheckApiKeyDeps,
} from '../api-keys/check-api-key';
import type { Caller } from '../api-keys/domain/caller';
import type { People } from './people';

/** What a request presents: an API key or access token, or the session of the page. */
export type Credentials = { kind: 'bearer'; text: string } | { kind: 'session'; token: string };

export interface CheckCallerDeps extends CheckApiKeyDeps {
  /** undefined: no identity provider is set, only keys are accepted. */
  people?: People | undefined;
}

export type RecheckCallerDeps = RecheckApiKeyDeps & Pick<CheckCallerDeps, 'people'>;

/**
 * Authenticates a caller and applies rate limits, for all transports.
 *
 * @throws AppError as `checkApiKey`; `invalid_token`, `session_ended`; `service_unavailable` if the
 *   credentials cannot be checked
 */
export async function checkCaller(
  deps: CheckCallerDeps,
  { credentials, address }: { credentials: Credentials; address: string | null },
): Promise<Caller> {
  const key = keyIn(deps, credentials);
  if (key !== null) return checkApiKey(deps, { key, address });
  const caller = await personOf(deps, credentials).catch((error: unknown) => {
    throw isInvalid(error) ? invalidCredentials(deps, address, error) : error;
  });
  const wait = await deps.countCall(caller.id);
  if (wait > 0) throw new AppError('rate_limited', undefined, wait);
  return caller;
}

/**
 * The caller with these accepted credentials as of now, after a slow body or a wait: what was
 * revoked or lost meanwhile is. Counts neither a call nor invalid credentials.
 *
 * @throws as `checkCaller`, without `rate_limited`
 */
export async function recheckCaller(
  deps: RecheckCallerDeps,
  credentials: Credentials,
): Promise<Caller> {
  const key = keyIn(deps, credentials);
  return key === null ? personOf(deps, credentials) : recheckApiKey(deps, key);
}

/** The text that counts as a key: all but tokens, if those are accepted. */
function keyIn({ people }: Pick<CheckCallerDeps, 'people'>, given: Credentials): string | null {
  if (given.kind === 'session') return null;
  return people?.acceptsTokens && isToken(given.text) ? null : given.text;
}

function personOf(
  { people }: Pick<CheckCallerDeps, 'people'>,
  given: Credentials,
): Promise<Caller> {
  if (!people) throw new AppError('session_ended');
  return given.kind === 'session' ? people.ofSession(given.token) : people.ofToken(given.text);
}

/** Three parts of base64url (RFC 7515, 3.1); no key has a dot. */
function isToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

function isInvalid(error: unknown): error is AppError {
  return (
    error instanceof AppError && (error.code === 'invalid_token' || error.code === 'session_ended')
  );
}
