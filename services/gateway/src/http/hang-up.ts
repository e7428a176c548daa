import { isNativeError } from 'node:util/types';

const hangUpCodes = ['ABORT_ERR', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'];

/** Whether the error only means that the client has disconnected. */
export function isHangUp(error: unknown): boolean {
  // A signal aborted without a reason throws a DOMException, which is not a native error.
  if (!isNativeError(error) && !(error instanceof DOMException)) return false;
  const { name, code } = error as NodeJS.ErrnoException;
  return name === 'AbortError' || hangUpCodes.includes(String(code));
}
