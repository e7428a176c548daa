import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { freePorts, repositoryRoot } from '@bomtrail/embedded';
import { eventually } from './eventually';

export interface GatewayProxy {
  baseUrl: string;
  /** Stops it with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts the proxy of an embedded run in front of several gateways: it passes requests only to those that are ready.
 *
 * @param gateways REST port and internal port of each; one of them must be ready
 */
export async function startGatewayProxy(
  gateways: readonly { rest: number; internal: number }[],
): Promise<GatewayProxy> {
  const [port = 0, internal = 0] = await freePorts(2);
  const program = path.join(repositoryRoot(), 'packages', 'embedded', 'dist', 'proxy', 'main.js');
  const child = spawn(process.execPath, [program], {
    env: {
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(port),
      INTERNAL_HTTP_PORT: String(internal),
      GATEWAYS: gateways.map((one) => `${one.rest}/${one.internal}`).join(),
      // No collector runs.
      HOST_METRICS_PORT: '1',
    },
    // Its log lines go to standard error.
    stdio: ['ignore', 2, 2],
  });
  const ended = once(child, 'close');
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return code;
  };
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await eventually(async () => (await fetch(`${baseUrl}/readyz`)).ok, {
      what: 'the proxy passes requests on',
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { baseUrl, stop };
}
