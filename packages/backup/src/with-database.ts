import { databaseCredentials, databaseSettings } from '@bomtrail/mongo';
import { checkConnections } from '@bomtrail/service-runtime';
import { readSettings, SettingsError } from '@bomtrail/settings';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import type { z } from 'zod';

/** Settings of the databases, as for services. */
const schema = databaseSettings.partial({ MONGODB_URI: true });
type Settings = z.infer<typeof schema>;

/** Databases of a command, with a common prefix. */
export interface DatabaseAccess {
  client: MongoClient;
  prefix: string;
  /** Data folder, if reserved for this command; else undefined. */
  ownFolder?: string;
}

/** Environment and output of a command. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  /** Prints a line. */
  say: (line: string) => void;
  /** Opens the data folder if `MONGODB_URI` is not set; without it the setting is required. */
  withDataFolder?: WithDataFolder;
}

/** Runs work on the MongoDB of a data folder; `ownFolder` if no one else can use it meanwhile. */
export type WithDataFolder = <Result>(
  options: Omit<DatabaseOptions, 'withDataFolder'>,
  work: (at: { uri: string; ownFolder?: string }) => Promise<Result>,
) => Promise<Result>;

export interface DatabaseOptions extends Terminal {
  /** Whether services may run meanwhile. */
  beside: boolean;
}

/**
 * Runs work on the databases of `MONGODB_URI`, else of the data folder.
 *
 * @throws SettingsError; OperatorError if there are no databases, or another process has the folder
 */
export async function withDatabase<Result>(
  { withDataFolder, ...options }: DatabaseOptions,
  work: (access: DatabaseAccess) => Promise<Result>,
): Promise<Result> {
  const settings = settingsOf(options.env);
  const { MONGODB_URI: named, MONGODB_DATABASE_PREFIX: prefix } = settings;
  const onServer = (uri: string): Promise<Result> => {
    const credentials = databaseCredentials({ ...settings, MONGODB_URI: uri });
    return withClient({ uri, credentials }, (client) => work({ client, prefix }));
  };
  if (named !== undefined) return onServer(named);
  if (!withDataFolder) throw new SettingsError(['MONGODB_URI: is required but not set.']);
  return withDataFolder(options, ({ uri, ownFolder }) => {
    if (ownFolder === undefined) return onServer(uri);
    return withClient({ uri, credentials: {} }, (client) => work({ client, prefix, ownFolder }));
  });
}

/** @throws SettingsError with all errors */
function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const settings = readSettings(schema, env);
  checkConnections(settings);
  return settings;
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
