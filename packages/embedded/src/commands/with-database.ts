import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { OperatorError } from '../operator-error';
import { serverCacheDir } from '../repository';
import { freePort } from '../servers/free-port';
import { locateServer } from '../servers/locate';
import { onFreePort } from '../servers/start-failure';
import { startMongod } from '../servers/start-mongod';
import { lockFolder } from '../stack/folder-lock';
import { readAddresses } from '../stack/server-addresses';
import { dataDirOf } from './start';

/** Databases that a command works on, all of them with one prefix. */
export interface DatabaseAccess {
  client: MongoClient;
  prefix: string;
  /** The folder that they lie in, which nobody else uses until the command ends; else undefined. */
  ownFolder?: string;
}

/**
 * Works on the databases of `MONGODB_URI`, else on those of the data folder: with its stack when it runs,
 * else on a mongod of its own, which nobody else gets to see.
 *
 * @param options.beside whether the stack of the folder may run meanwhile
 */
export async function withDatabase<Result>(
  options: { env: NodeJS.ProcessEnv; say: (line: string) => void; beside: boolean },
  work: (access: DatabaseAccess) => Promise<Result>,
): Promise<Result> {
  const { env } = options;
  const prefix = env['MONGODB_DATABASE_PREFIX'] ?? 'bomtrail_';
  const named = await namedDatabase(env);
  const dataDir = resolve(dataDirOf(env));
  const running = options.beside && named === undefined ? await readAddresses(dataDir) : undefined;
  const uri = named ?? running?.mongoUri;
  if (uri !== undefined) return withClient(uri, (client) => work({ client, prefix }));

  if (options.beside && !existsSync(join(dataDir, 'mongod'))) {
    throw new OperatorError(
      `${dataDir} holds no data of bomtrail: name its folder with BOMTRAIL_DATA_DIR, or its ` +
        'database with MONGODB_URI.',
    );
  }
  const unlock = await lockFolder(dataDir);
  try {
    const mongod = await ownMongod(dataDir, options);
    try {
      const access = { prefix, ownFolder: dataDir };
      return await withClient(mongod.url, (client) => work({ client, ...access }));
    } finally {
      await mongod.stop();
    }
  } finally {
    await unlock();
  }
}

async function namedDatabase(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { MONGODB_URI: uri, MONGODB_URI_FILE: file } = env;
  if (uri !== undefined && uri !== '') return uri;
  return file === undefined || file === '' ? undefined : (await readFile(file, 'utf8')).trim();
}

async function ownMongod(
  dataDir: string,
  { env, say }: { env: NodeJS.ProcessEnv; say: (line: string) => void },
) {
  const binary = await locateServer('mongod', { cacheDir: serverCacheDir(env), say });
  const logs = join(dataDir, 'logs');
  await mkdir(logs, { recursive: true });
  const at = { binary, dataDir: join(dataDir, 'mongod'), logFile: join(logs, 'mongod.log') };
  return onFreePort(freePort, (port) => startMongod({ ...at, port }));
}

async function withClient<Result>(
  uri: string,
  work: (client: MongoClient) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(uri, {
    readPreference: 'primary',
    writeConcern: { w: 'majority', journal: true },
    serverSelectionTimeoutMS: 10_000,
  });
  try {
    return await work(await client.connect());
  } finally {
    await client.close();
  }
}
