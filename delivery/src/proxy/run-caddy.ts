import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts, repositoryRoot } from '@bomtrail/embedded';

const readyMs = 30_000;

/** A real Caddy with deploy/proxy/Caddyfile. */
export interface RunningCaddy {
  baseUrl: string;
  grpcPort: number;
}

/**
 * Runs Caddy with these settings of the Caddyfile while `work` uses it.
 *
 * @param folder for its certificates and state
 * @throws Error with what Caddy said if it does not start
 */
export async function withCaddy<Result>(
  { binary, folder, settings }: { binary: string; folder: string; settings: NodeJS.ProcessEnv },
  work: (caddy: RunningCaddy) => Promise<Result>,
): Promise<Result> {
  const [port = 0, grpcPort = 0] = await freePorts(2);
  const file = path.join(repositoryRoot(), 'deploy', 'proxy', 'Caddyfile');
  const child = spawn(binary, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: {
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      BOMTRAIL_SITE: `:${port}`,
      BOMTRAIL_GRPC_SITE: `http://:${grpcPort}`,
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const ended = once(child, 'close');
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    for (const end = Date.now() + readyMs; !(await isReady(baseUrl)); await delay(100))
      if (Date.now() > end || child.exitCode !== null)
        throw new Error(`Caddy does not answer: ${said}`);
    return await work({ baseUrl, grpcPort });
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function isReady(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
