import { ClientError, ResponseBodyError } from 'openid-client';

const serverError = 500;

/** Whether the provider could not be asked, or failed; its refusals are not among these. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status >= serverError;
  const status = statusIn(error);
  if (status !== null) return status >= serverError;
  const code = error instanceof ClientError ? error.code : undefined;
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || isFailedFetch(error);
}

/** Whether the provider says that a code or refresh token is not, or no longer, valid. */
export function isInvalidGrant(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_grant';
}

/** The status of a response that is none of the protocol, e.g. of a proxy in front. */
function statusIn(error: unknown): number | null {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Response ? cause.status : null;
}

/** By its message: the class is that of the runtime. */
function isFailedFetch(error: unknown): boolean {
  for (let one = error; isCaused(one); one = one.cause)
    if (one.message === 'fetch failed') return true;
  return false;
}

function isCaused(error: unknown): error is { message: unknown; cause?: unknown } {
  return typeof error === 'object' && error !== null && 'message' in error;
}
