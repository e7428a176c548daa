import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePort, freePorts, repositoryRoot } from '@bomtrail/embedded';
import { eventually } from '@bomtrail/testkit';

/** A proxy in front of several gateways. */
export interface Balancer {
  baseUrl: string;
  stop(): Promise<void>;
}

/** The proxy of an embedded run: it asks each gateway whether it is ready, and passes requests to those that are. */
export async function startBalancer(
  gateways: readonly { rest: number; internal: number }[],
): Promise<Balancer> {
  const program = path.join(repositoryRoot(), 'packages', 'embedded', 'dist', 'proxy', 'main.js');
  const [port = 0, internal = 0] = await freePorts(2);
  const child = spawn(process.execPath, [program], {
    stdio: 'ignore',
    env: {
      HTTP_PORT: String(port),
      INTERNAL_HTTP_PORT: String(internal),
      GATEWAYS: gateways.map((one) => `${one.rest}/${one.internal}`).join(','),
      // Nobody asks it for host metrics.
      HOST_METRICS_PORT: String(await freePort()),
    },
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${baseUrl}/readyz`)).ok, {
    what: 'the proxy passes requests on',
  });
  return {
    baseUrl,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
