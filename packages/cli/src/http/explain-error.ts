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
  if (error.code === null && error.status !== 422) {
    return serviceError(
      `The answer (${error.status}) is not from bomtrail; check the URL. ${text}`,
    );
  }
  if (error.code === 'not_found' || error.code === 'method_not_allowed') {
    return serviceError(
      `This release of bomtrail does not support that; upgrade the server. ${text}`,
    );
  }
  const byCaller = error.status >= 400 && error.status < 500;
  return byCaller && ![408, 429].includes(error.status)
    ? usageError(`Rejected (${error.status}): ${text}`)
    : serviceError(`The server is unavailable (${error.status}): ${text}`);
}
