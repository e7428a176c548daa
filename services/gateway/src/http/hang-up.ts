import { isNativeError } from 'node:util/types';

const hangUpCodes = ['ABORT_ERR', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'];

/** Does the error only say that the client has gone? */
export function isHangUp(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const { name, code } = error as NodeJS.ErrnoException;
  return name === 'AbortError' || hangUpCodes.includes(String(code));
}
