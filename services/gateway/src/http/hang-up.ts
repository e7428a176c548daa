import { isNativeError } from 'node:util/types';

const hangUpCodes = ['ABORT_ERR', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'];

/** Does the error only say that the client has gone? */
export function isHangUp(error: unknown): boolean {
  // A signal that was aborted without a reason throws a DOMException, which is no native error.
  if (!isNativeError(error) && !(error instanceof DOMException)) return false;
  const { name, code } = error as NodeJS.ErrnoException;
  return name === 'AbortError' || hangUpCodes.includes(String(code));
}
