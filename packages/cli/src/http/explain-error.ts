import { ApiError } from '@bomtrail/api-client';
import { CliError, serviceError, usageError } from '../exit-codes';
import { cleanText } from '../output/clean-text';

/**
 * What an error of a command means to who called it, in one line. What the caller has to change is a
 * usage error (also a key that is refused, an unknown project, a document that is none); what may pass
 * is the service's. Gives null for what is a mistake of this program.
 */
export function explainError(error: unknown): CliError | null {
  if (error instanceof CliError) return error;
  if (!(error instanceof ApiError)) return null;
  const text = `${cleanText(error.detail)}${error.code ? ` (${error.code})` : ''}`;
  if (error.code === null && error.status !== 422) {
    return serviceError(
      `The answer (${error.status}) is not bomtrail's: is the URL right? ${text}`,
    );
  }
  if (error.code === 'not_found' || error.code === 'method_not_allowed') {
    return serviceError(`This bomtrail is of a release that cannot do that: upgrade it. ${text}`);
  }
  const byCaller = error.status >= 400 && error.status < 500;
  return byCaller && ![408, 429].includes(error.status)
    ? usageError(`Refused (${error.status}): ${text}`)
    : serviceError(`The service cannot answer now (${error.status}): ${text}`);
}
