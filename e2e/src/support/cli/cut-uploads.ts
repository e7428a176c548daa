import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `before`: the upload does not reach the product; `after`: it is stored, and its response is lost. */
export type Cut = 'before' | 'after';

export interface UploadCutter {
  url: string;
  /** Uploads that reached the product. */
  forwarded: () => number;
  /** Cuts an upload after so many others; resolves once it is cut, with the connection still open. */
  cutAfter: (others: number, cut: Cut) => Promise<void>;
  stop: () => Promise<void>;
}

/** A proxy in front of the product that never answers an upload that it cuts. */
export async function startUploadCutter(target: string): Promise<UploadCutter> {
  let forwarded = 0;
  let next: { others: number; cut: Cut; done: () => void } | null = null;

  function forward(incoming: IncomingMessage, answer: (from: IncomingMessage) => void): void {
    const { method, headers, url = '/' } = incoming;
    incoming.pipe(request(new URL(url, target), { method, headers }, answer));
  }

  function handle(incoming: IncomingMessage, response: ServerResponse): void {
    const isUpload = incoming.url?.startsWith('/api/v1/sboms/upload') === true;
    const cut = isUpload && next?.others === 0 ? next : null;
    if (cut) next = null;
    else if (isUpload && next) next.others -= 1;
    if (cut?.cut === 'before') {
      incoming.resume().on('end', cut.done);
      return;
    }
    if (isUpload) forwarded += 1;
    forward(incoming, (from) => {
      if (cut) from.resume().on('end', cut.done);
      else from.pipe(response.writeHead(from.statusCode ?? 500, from.headers));
    });
  }

  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwarded: () => forwarded,
    cutAfter: (others, cut) => new Promise((done) => (next = { others, cut, done })),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
