import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  dataDirOf,
  freePort,
  locateServer,
  lockFolder,
  onFreePort,
  readAddresses,
  serverCacheDir,
  startMongod,
} from '@bomtrail/embedded';
import { OperatorError } from '@bomtrail/terminal';
import type { Terminal, WithDataFolder } from './with-database';

/**
 * Opens the data folder of the embedded run: through its running stack if allowed, else on a private mongod.
 *
 * @throws OperatorError if there are no databases, or another process has the folder
 */
export const withDataFolder: WithDataFolder = async (options, work) => {
  const { env, beside } = options;
  const dataDir = resolve(dataDirOf(env));
  const running = beside ? await readAddresses(dataDir) : undefined;
  if (running !== undefined) return work({ uri: running.mongoUri });

  if (beside && !existsSync(join(dataDir, 'mongod'))) {
    throw new OperatorError(
      `${dataDir} holds no data of bomtrail: name its folder with BOMTRAIL_DATA_DIR, or its ` +
        'database with MONGODB_URI.',
    );
  }
  const unlock = await lockFolder(dataDir);
  try {
    const mongod = await ownMongod(dataDir, options);
    try {
      return await work({ uri: mongod.url, ownFolder: dataDir });
    } finally {
      await mongod.stop();
    }
  } finally {
    await unlock();
  }
};

async function ownMongod(dataDir: string, { env, say }: Pick<Terminal, 'env' | 'say'>) {
  const binary = await locateServer('mongod', { cacheDir: serverCacheDir(env), say });
  const logs = join(dataDir, 'logs');
  await mkdir(logs, { recursive: true });
  const at = { binary, dataDir: join(dataDir, 'mongod'), logFile: join(logs, 'mongod.log') };
  return onFreePort(freePort, (port) => startMongod({ ...at, port }));
}
