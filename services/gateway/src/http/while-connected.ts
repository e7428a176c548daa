import type { Request } from 'express';

/** Does work whose answer nobody needs once the client is gone; the signal says when that is so. */
export async function whileConnected<Value>(
  { socket }: Pick<Request, 'socket'>,
  work: (gone: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const gone = new AbortController();
  // The reason that a signal has by itself is no Error to those who tell a hang-up from a failure.
  const abort = (): void =>
    gone.abort(Object.assign(new Error('The client has gone.'), { name: 'AbortError' }));
  if (socket.destroyed) abort();
  socket.once('close', abort);
  try {
    return await work(gone.signal);
  } finally {
    socket.off('close', abort);
  }
}
