import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a path answers in place of its file. */
export type VexServerFault =
  | { status: number; headers?: Record<string, string> }
  | 'html'
  | 'cut off';

const html = '<!doctype html><title>Service unavailable</title><h1>Please try again later.</h1>';

/**
 * A web server of a vendor's VEX documents: ETags and conditional requests, HTML pages for what it does not have, 429
 * with `Retry-After`.
 */
export async function startFakeVexServer() {
  const files = new Map<string, Buffer>();
  const faults: { path: RegExp; fault: VexServerFault }[] = [];
  const requests: { path: string; status: number }[] = [];

  function answer(
    response: ServerResponse,
    { path, tag }: { path: string; tag: string | undefined },
  ): number {
    const file = files.get(path);
    const fault = faults.find((one) => one.path.test(path))?.fault;
    if (fault === 'html') return page(response, 200);
    if (fault === 'cut off') {
      const body = file ?? Buffer.from('{}');
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.subarray(0, body.length >> 1));
      setImmediate(() => response.destroy());
      return 200;
    }
    if (fault !== undefined) return page(response, fault.status, fault.headers);
    if (!file) return page(response, 404);
    const etag = `"${createHash('sha256').update(file).digest('hex').slice(0, 16)}"`;
    const status = tag === etag ? 304 : 200;
    response.writeHead(status, { etag, 'content-type': 'application/json' });
    response.end(status === 200 ? file : undefined);
    return status;
  }

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const status = answer(response, { path, tag: request.headers['if-none-match'] });
    requests.push({ path, status });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (path: string, content: object | string) =>
      void files.set(
        path,
        Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
      ),
    remove: (path: string) => void files.delete(path),
    break: (path: RegExp, fault: VexServerFault) => void faults.unshift({ path, fault }),
    heal: () => void (faults.length = 0),
    /** The requests since the last call, as `<status> <path>`. */
    asked: () => requests.splice(0).map(({ status, path }) => `${status} ${path}`),
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

function page(response: ServerResponse, status: number, headers: object = {}): number {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html);
  return status;
}
