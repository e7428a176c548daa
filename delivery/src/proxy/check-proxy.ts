import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { startStack, withTemporaryFolder, type Stack } from '@bomtrail/embedded';
import { orNotRun, type Report } from '../report';
import { goTool, type Say } from '../tools/fetch';
import { caddy } from '../tools/pins';
import { hostMetrics, metricsErrors } from './metrics-errors';
import { passErrors } from './pass-errors';
import { withCaddy } from './run-caddy';

/** The Caddyfile of the compose file in a real Caddy, before a running product. */
export async function checkProxy(report: Report, say: Say): Promise<void> {
  const name = 'Caddyfile: a real Caddy before a running product';
  const binary = await orNotRun(report, name, () => goTool(caddy, say));
  if (!binary) return;
  await withTemporaryFolder('proxy', async (folder) => {
    const exporter = createServer((_request, response) => response.end(hostMetrics));
    exporter.listen(0, '127.0.0.1');
    await once(exporter, 'listening');
    const { port } = exporter.address() as AddressInfo;
    const stack = await startProduct(path.join(folder, 'data'));
    try {
      const settings = {
        BOMTRAIL_GATEWAY: new URL(stack.baseUrl).host,
        BOMTRAIL_GATEWAY_GRPC: `127.0.0.1:${stack.grpcPort}`,
        BOMTRAIL_HOST_METRICS: `127.0.0.1:${port}`,
      };
      const run = { binary, folder, settings };
      await withCaddy(run, async (proxy) => {
        for (const [what, errors] of await passErrors(stack, proxy))
          report.check(`Caddyfile: ${what}`, errors);
      });
      report.check('Caddyfile: /metrics for whom the setting says', await metricsErrors(run));
    } finally {
      await stack.stop();
      exporter.close();
    }
  });
}

/** With the settings that the compose file gives the gateway. */
function startProduct(dataDir: string): Promise<Stack> {
  const env = {
    BOMTRAIL_ADVISORY_SOURCE: 'starter',
    TRUSTED_PROXY_HOPS: '1',
    GRPC_TRUSTED_PROXY_HOPS: '1',
  };
  return startStack({ dataDir, httpPort: 0, grpcPort: 0, env, say: () => undefined });
}
