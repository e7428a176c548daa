import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '../operator-error';
import { repositoryRoot } from '../repository';
import { readAddresses } from '../stack/server-addresses';
import { dataDirOf } from './start';

/**
 * Runs a service's own command, on the servers that `MONGODB_URI` and `NATS_URL` name, else on those of
 * the stack that runs on the data folder. Gives its exit code.
 *
 * @param program below `services`, as it is after the build
 * @throws OperatorError when there is none of both, or it was not built
 */
export async function besideStack(
  program: readonly string[],
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const path = join(repositoryRoot(), 'services', ...program);
  if (!existsSync(path)) {
    throw new OperatorError(`${path} is missing: run "npm run build" first.`);
  }
  const child = spawn(process.execPath, ['--enable-source-maps', path, ...args], {
    stdio: 'inherit',
    env: { ...env, ...(await serversFor(env)) },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function serversFor(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const dataDir = resolve(dataDirOf(env));
  const running = await readAddresses(dataDir);
  const isNamed = (name: string): boolean => Boolean(env[name]) || Boolean(env[`${name}_FILE`]);
  if (!isNamed('MONGODB_URI') && running === undefined) {
    throw new OperatorError(
      `No bomtrail runs on ${dataDir}: start it with "npm start", name its folder with ` +
        'BOMTRAIL_DATA_DIR, or name its database with MONGODB_URI.',
    );
  }
  return {
    ...(isNamed('MONGODB_URI') ? {} : { MONGODB_URI: running?.mongoUri }),
    ...(isNamed('NATS_URL') ? {} : { NATS_URL: running?.natsUrl }),
  };
}
