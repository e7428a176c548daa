import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { MongoClient, type MongoClientOptions } from 'mongodb';
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
  const prefix = prefixOf(env);
  const named = settingOf(env, 'MONGODB_URI');
  const dataDir = resolve(dataDirOf(env));
  const running = options.beside && named === undefined ? await readAddresses(dataDir) : undefined;
  const uri = named ?? running?.mongoUri;
  if (uri !== undefined) {
    const credentials = named === undefined ? {} : credentialsOf(env);
    return withClient({ uri, credentials }, (client) => work({ client, prefix }));
  }

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
      return await withClient({ uri: mongod.url, credentials: {} }, (client) =>
        work({ client, ...access }),
      );
    } finally {
      await mongod.stop();
    }
  } finally {
    await unlock();
  }
}

/** A setting as the services read it: its value, or that of a file; an empty one is not given. */
function settingOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  return env[name] || (file && readFileSync(file, 'utf8').trim()) || undefined;
}

/** Another one than that of the services would be another target. */
function prefixOf(env: NodeJS.ProcessEnv): string {
  const prefix = settingOf(env, 'MONGODB_DATABASE_PREFIX') ?? 'bomtrail_';
  if (/^[A-Za-z0-9_-]{0,40}$/.test(prefix)) return prefix;
  throw new OperatorError('MONGODB_DATABASE_PREFIX may hold letters, digits, _ and -.');
}

function credentialsOf(env: NodeJS.ProcessEnv): MongoClientOptions {
  const username = settingOf(env, 'MONGODB_USERNAME');
  const password = settingOf(env, 'MONGODB_PASSWORD');
  return username === undefined ? {} : { auth: { username, ...(password && { password }) } };
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
  at: { uri: string; credentials: MongoClientOptions },
  work: (client: MongoClient) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(at.uri, {
    ...at.credentials,
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
