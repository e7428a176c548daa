import type { Request } from 'express';

/** Runs work until the client disconnects; the signal aborts then. */
export async function whileConnected<Value>(
  { socket }: Pick<Request, 'socket'>,
  work: (gone: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const gone = new AbortController();
  // The default reason of a signal is not an Error, which hang-up detection needs.
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
