import { AppError } from '@bomtrail/messages';
import type { ServerReadableStream } from '@grpc/grpc-js';

type Incoming = Pick<ServerReadableStream<Buffer, unknown>, 'on'>;

/**
 * Reads the single message of a call; nothing is read before.
 *
 * @param ended aborts when the call ends
 * @throws AppError `malformed_body` for no message or a second one; the signal's reason
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
      // Releases the message, which may be large, before the call ends.
      only = null;
    });
  });
}
