import path from 'node:path';
import { freePorts, repositoryRoot } from '@bomtrail/embedded';
import { createProgramGroup, responseError } from '../tools/program-group';

const readyMs = 30_000;

/** A real Caddy with deploy/proxy/Caddyfile. */
export interface RunningCaddy {
  baseUrl: string;
  grpcPort: number;
}

/**
 * Runs Caddy with these settings of the Caddyfile while `work` uses it.
 *
 * @param folder for its log, certificates and state
 * @throws Error with what Caddy said if it does not start
 */
export async function withCaddy<Result>(
  { binary, folder, settings }: { binary: string; folder: string; settings: NodeJS.ProcessEnv },
  work: (caddy: RunningCaddy) => Promise<Result>,
): Promise<Result> {
  const [port = 0, grpcPort = 0] = await freePorts(2);
  const file = path.join(repositoryRoot(), 'deploy', 'proxy', 'Caddyfile');
  const group = createProgramGroup(folder);
  group.start('caddy', binary, {
    args: ['run', '--config', file, '--adapter', 'caddyfile'],
    env: {
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      BOMTRAIL_SITE: `:${port}`,
      BOMTRAIL_GRPC_SITE: `http://:${grpcPort}`,
      ...settings,
    },
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await group.untilReady(() => responseError(`${baseUrl}/readyz`), {
    what: 'Caddy does not answer',
    withinMs: readyMs,
  });
  try {
    return await work({ baseUrl, grpcPort });
  } finally {
    await group.stop();
  }
}
