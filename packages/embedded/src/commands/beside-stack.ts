import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';
import { dataDirOf, repositoryRoot } from '../repository';
import { readAddresses } from '../stack/server-addresses';

/** A built command of a service or package. */
export interface BesideProgram {
  readonly path: readonly string[];
  /** Setting that replaces a running stack. */
  readonly needs: 'MONGODB_URI' | 'NATS_URL';
}

/**
 * Runs a command on the servers of `MONGODB_URI` and `NATS_URL`, else on those of the stack running on the data
 * folder. Returns the exit code.
 *
 * @throws OperatorError if neither exists, or the command is not built
 */
export async function besideStack(
  program: BesideProgram,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const path = join(repositoryRoot(), ...program.path);
  if (!existsSync(path)) {
    throw new OperatorError(`${path} is missing: run "npm run build" first.`);
  }
  const child = spawn(process.execPath, ['--enable-source-maps', path, ...args], {
    stdio: 'inherit',
    env: { ...env, ...(await serversFor(program, env)) },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Exit code of these commands for unreachable servers. */
const unreachable = 3;

/**
 * Like `besideStack`, but prints an OperatorError to `complain` and returns the exit code for unreachable servers.
 */
export async function besideStackOrExplained(
  program: BesideProgram,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; complain: (line: string) => void },
): Promise<number> {
  try {
    return await besideStack(program, args, options.env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    options.complain(error.message);
    return unreachable;
  }
}

async function serversFor(
  { needs }: BesideProgram,
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const dataDir = resolve(dataDirOf(env));
  const running = await readAddresses(dataDir);
  const isNamed = (name: string): boolean => Boolean(env[name]) || Boolean(env[`${name}_FILE`]);
  if (!isNamed(needs) && running === undefined) {
    throw new OperatorError(
      `No bomtrail runs on ${dataDir}: start it with "npm start", name its folder with ` +
        `BOMTRAIL_DATA_DIR, or name its ${needs === 'NATS_URL' ? 'bus' : 'database'} with ${needs}.`,
    );
  }
  return {
    ...(isNamed('MONGODB_URI') ? {} : { MONGODB_URI: running?.mongoUri }),
    ...(isNamed('NATS_URL') ? {} : { NATS_URL: running?.natsUrl }),
  };
}
