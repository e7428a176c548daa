import { join } from 'node:path';
import { apiClient } from '../demo/api-client';
import { exampleRounds } from '../demo/example-sboms';
import { DemoFailure, runDemo } from '../demo/run-demo';
import { OperatorError } from '@bomtrail/terminal';
import { repositoryRoot } from '../repository';
import type { StackOptions } from '../stack/start-stack';
import { DEFAULT_GRPC_PORT, DEFAULT_HTTP_PORT, portSetting, preferredOrFree } from './ports';
import { serveUntilStopped, startUnlessStopped } from './run-stack';
import { dataDirOf, welcome } from './start';

/**
 * `demo [--exit]`: runs the example SBOMs on its own, emptied data folder, then serves it until Ctrl-C, or exits with
 * `--exit`. Always uses its own servers, so that it never writes to a real installation.
 */
export async function demo(options: {
  env: NodeJS.ProcessEnv;
  exitAfter: boolean;
  say: (line: string) => void;
}): Promise<void> {
  const { say } = options;
  const rounds = await exampleRounds(join(repositoryRoot(), 'examples', 'sboms'));
  const { stack, stopRequested } = await startUnlessStopped(await stackOptions(options.env, say));
  let stopping = false;
  void stopRequested.then(() => {
    stopping = true;
  });
  try {
    const client = apiClient(stack.baseUrl, stack.apiKey);
    const shown = runDemo({ client, rounds, say });
    const ended = await Promise.race([shown, stopRequested, stack.failed]);
    if (ended instanceof Error) throw ended;
  } catch (error) {
    await stack.stop();
    if (error instanceof DemoFailure) throw new OperatorError(`The demo failed: ${error.message}.`);
    throw error;
  }
  if (options.exitAfter && !stopping) {
    await stack.stop();
    return;
  }
  if (!stopping) for (const line of ['', ...welcome(stack)]) say(line);
  await serveUntilStopped({ stack, stopRequested, say });
}

async function stackOptions(
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<StackOptions> {
  const http = portSetting('HTTP_PORT', env['HTTP_PORT']);
  const grpc = portSetting('GRPC_PORT', env['GRPC_PORT']);
  return {
    dataDir: join(dataDirOf(env), 'demo'),
    wipe: true,
    httpPort: http ?? (await preferredOrFree(DEFAULT_HTTP_PORT)),
    grpcPort: grpc ?? (await preferredOrFree(DEFAULT_GRPC_PORT)),
    env: { MONGODB_URI: '', NATS_URL: '' },
    proxied: true,
    say,
  };
}
