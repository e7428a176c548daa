import type { Request } from 'express';

/** Does work whose answer nobody needs once the client is gone; the signal says when that is so. */
export async function whileConnected<Value>(
  { socket }: Pick<Request, 'socket'>,
  work: (gone: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  if (socket.destroyed) abort();
  socket.once('close', abort);
  try {
    return await work(gone.signal);
  } finally {
    socket.off('close', abort);
  }
}
