import { connect, type Socket } from 'node:net';
import { createResponseReader, type HttpResponse } from './read-response';

/** Longer than any single request of a healthy stack, even with the machine overloaded. */
const silenceMs = 60_000;

/** One connection, for one request at a time. */
export interface Connection {
  /** Rejects when the connection breaks, stays silent for 60 s, or gives what is no answer. */
  exchange(request: readonly Buffer[]): Promise<HttpResponse>;
  /** False once it is closed from either side. */
  isOpen(): boolean;
  destroy(reason?: Error): void;
}

interface Exchange {
  read: (chunk: Buffer) => HttpResponse | undefined;
  resolve: (response: HttpResponse) => void;
  reject: (reason: Error) => void;
}

export function openConnection(to: { host: string; port: number }): Connection {
  const socket: Socket = connect({ ...to, noDelay: true });
  let current: Exchange | undefined;
  const finish = (): Exchange | undefined => {
    const ended = current;
    current = undefined;
    return ended;
  };
  socket.on('data', (chunk: Buffer) => {
    try {
      if (current === undefined) throw new Error('bytes came that nobody asked for');
      const response = current.read(chunk);
      if (response !== undefined) finish()?.resolve(response);
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  socket.setTimeout(silenceMs, () => socket.destroy(new Error('no answer in 60 s')));
  socket.on('error', (error) => finish()?.reject(error));
  socket.on('close', () => finish()?.reject(new Error('the connection was closed')));
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        current = { read: createResponseReader(), resolve, reject };
        socket.cork();
        for (const bytes of request) socket.write(bytes);
        socket.uncork();
      }),
    isOpen: () => !socket.destroyed && !socket.readableEnded,
    destroy: (reason) => void socket.destroy(reason),
  };
}
