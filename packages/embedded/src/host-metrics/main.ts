import { createServer } from 'node:http';
import { listen } from '@bomtrail/http-edge';
import { runReverseProxy } from '../proxy/run-reverse-proxy';
import { exposeHost } from './exposition';
import { hostCollectors } from './host-families';

/**
 * Host metrics collector of the embedded run: `GET /metrics` on `HOST_METRICS_PORT`, exposed by the reverse proxy.
 */
const collectors = hostCollectors();

runReverseProxy('host-metrics', async (env) => {
  const server = createServer((_request, response) => {
    exposeHost(collectors).then(
      ({ text, type }) => response.writeHead(200, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, { host: '127.0.0.1', port: Number(env['HOST_METRICS_PORT']) });
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
});
