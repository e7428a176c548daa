import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePorts } from '@bomtrail/embedded';
import { eventually } from '@bomtrail/testkit';
import { repositoryRoot } from '../support/real-data';

/** The proxy of the embedded run before several gateways. @param gateways `<REST port>/<internal port>` of each */
export async function startFront(
  gateways: readonly string[],
): Promise<{ baseUrl: string; stop(): Promise<number | null> }> {
  const [port = 0, internal = 0] = await freePorts(2);
  const program = path.join(repositoryRoot, 'packages', 'embedded', 'dist', 'proxy', 'main.js');
  const child = spawn(process.execPath, [program], {
    env: {
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      INTERNAL_HTTP_PORT: String(internal),
      GATEWAYS: gateways.join(),
      HOST_METRICS_PORT: '1',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'close');
  await eventually(async () => (await fetch(`http://127.0.0.1:${internal}/readyz`)).ok, {
    what: 'the proxy is ready',
  });
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}
