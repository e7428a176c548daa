import { AppError } from '@bomtrail/messages';
import type { ServerReadableStream } from '@grpc/grpc-js';

type Incoming = Pick<ServerReadableStream<Buffer, unknown>, 'on'>;

/**
 * Reads the one message of a call. Nothing of it is read before this is called.
 *
 * @param ended aborts when nobody waits for it any more
 * @throws AppError `malformed_body` when there is none or a second one; the signal's reason
 */
export async function readMessage(call: Incoming, ended: AbortSignal): Promise<Buffer> {
  ended.throwIfAborted();
  return new Promise((resolve, reject) => {
    let only: Buffer | null = null;
    const fail = (): void => reject(new AppError('malformed_body', 'Send exactly one message.'));
    ended.addEventListener('abort', () => reject(ended.reason as Error), { once: true });
    call.on('data', (message: Buffer) => {
      if (only) fail();
      only = message;
    });
    call.on('end', () => {
      if (only) resolve(only);
      else fail();
      // The call lives on until its answer is out; its message may be large.
      only = null;
    });
  });
}
