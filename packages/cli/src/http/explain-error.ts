import { ApiError } from '@bomtrail/api-client';
import { CliError, serviceError, usageError } from '../exit-codes';
import { cleanText } from '../output/clean-text';

/**
 * Maps an error to a one-line CliError: usage errors for what the caller must change, service errors for what a retry
 * may solve. Returns null for bugs of this program.
 */
export function explainError(error: unknown): CliError | null {
  if (error instanceof CliError) return error;
  if (!(error instanceof ApiError)) return null;
  const text = `${cleanText(error.detail)}${error.code ? ` (${error.code})` : ''}`;
  if (error.code === null && error.status !== 422)
    return serviceError(`${foreignText(error.status)} ${text}`);
  if (error.code === 'not_found' || error.code === 'method_not_allowed') {
    return serviceError(
      `The server does not know this call. Check the URL: the address of bomtrail, without /api. If it is right, upgrade the server. ${text}`,
    );
  }
  const byCaller = error.status >= 400 && error.status < 500;
  return byCaller && ![408, 429].includes(error.status)
    ? usageError(`Rejected (${error.status}): ${text}`)
    : serviceError(`The server is unavailable (${error.status}): ${text}`);
}

/** What an answer without an error code of the API means: it comes from a proxy, or from another program. */
function foreignText(status: number): string {
  const answer = `The answer (${status}) is not from bomtrail`;
  if (status === 413) return `${answer}: a proxy before it refuses a document of this size.`;
  if (status === 429) return `${answer} but from a proxy before it: too many requests, try later.`;
  if ([502, 503, 504].includes(status))
    return `${answer} but from a proxy before it: bomtrail is down or too slow, or the URL is wrong.`;
  return `${answer}; check the URL.`;
}
