import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  dataDirOf,
  freePort,
  locateServer,
  lockFolder,
  onFreePort,
  OperatorError,
  readAddresses,
  serverCacheDir,
  startMongod,
} from '@bomtrail/embedded';
import {
  commonSettings,
  connectionMistakes,
  databaseCredentials,
  readSettings,
  SettingsError,
} from '@bomtrail/service-kit';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import type { z } from 'zod';

/** Which databases, as the services are told it. */
const schema = commonSettings
  .pick({
    MONGODB_URI: true,
    MONGODB_DATABASE_PREFIX: true,
    MONGODB_USERNAME: true,
    MONGODB_PASSWORD: true,
  })
  .partial({ MONGODB_URI: true });
type Settings = z.infer<typeof schema>;

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
 * @throws SettingsError; OperatorError when there are no databases, or another process has the folder
 */
export async function withDatabase<Result>(
  options: { env: NodeJS.ProcessEnv; say: (line: string) => void; beside: boolean },
  work: (access: DatabaseAccess) => Promise<Result>,
): Promise<Result> {
  const { env } = options;
  const settings = settingsOf(env);
  const { MONGODB_URI: named, MONGODB_DATABASE_PREFIX: prefix } = settings;
  const dataDir = resolve(dataDirOf(env));
  const running = options.beside && named === undefined ? await readAddresses(dataDir) : undefined;
  const uri = named ?? running?.mongoUri;
  if (uri !== undefined) {
    const credentials = databaseCredentials({ ...settings, MONGODB_URI: uri });
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

/** @throws SettingsError with all mistakes */
function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const settings = readSettings(schema, env);
  const mistakes = connectionMistakes(settings);
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return settings;
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
