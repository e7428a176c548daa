import { accessSync, constants } from 'node:fs';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { SettingsError } from '@bomtrail/settings';
import { createSeldomWarning, type Logger } from '@bomtrail/telemetry';
import type { z } from 'zod';
import type { databaseSettings } from './database-settings';
import { replicaSetError, watchHello, type HelloOf } from './replica-set-error';
import { watchCommands } from './watch-commands';

const pingTimeoutMs = 1_000;

type AllSettings = z.infer<typeof databaseSettings>;

/** What a connection needs of the settings. */
export type DatabaseSettings = Pick<AllSettings, 'MONGODB_URI'> &
  Partial<Pick<AllSettings, 'MONGODB_USERNAME' | 'MONGODB_PASSWORD'>>;

/** Credentials given outside the URI; empty if none are. */
export function databaseCredentials(settings: DatabaseSettings): MongoClientOptions {
  const { MONGODB_USERNAME: username, MONGODB_PASSWORD: password } = settings;
  return username && password ? { auth: { username, password } } : {};
}

/** Options of a URI that name a file. The driver reads it with each attempt to connect. */
const fileOptions = ['tlsCAFile', 'tlsCRLFile', 'tlsCertificateKeyFile'] as const;

/** The problem of a URI with which no client can be created; undefined: none. Contains no secret of it. */
export function databaseUriError(settings: DatabaseSettings): string | undefined {
  try {
    new MongoClient(settings.MONGODB_URI, databaseCredentials(settings));
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '');
  }
}

/** The problem of a valid URI that names a file which cannot be read here; undefined: none. */
export function databaseFileError(settings: DatabaseSettings): string | undefined {
  const { options } = new MongoClient(settings.MONGODB_URI, databaseCredentials(settings));
  const unreadable = fileOptions.find((name) => {
    const file = options.tls && options[name];
    return file && !isReadable(file);
  });
  return unreadable && `the file ${options[unreadable]} of ${unreadable} is not readable`;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** A service's own database and the client behind it. */
export interface Database {
  readonly db: Db;
  readonly client: MongoClient;
  /** Pings the server; resolves within about a second, even if the server hangs. */
  isUp(): Promise<boolean>;
}

/**
 * Connects to the database of a service, waiting for the server without limit. Its name is also the `appName` of the
 * connection. Every write is acknowledged by a majority, with journal.
 *
 * @throws SettingsError if all servers respond, but have no replica set or are of another one than the URI names
 */
export async function connectDatabase(options: {
  settings: DatabaseSettings;
  name: string;
  log: Logger;
  /** Whether commands become spans. */
  traced?: boolean;
}): Promise<Database> {
  const { log } = options;
  const client = new MongoClient(options.settings.MONGODB_URI, {
    ...databaseCredentials(options.settings),
    // A restore finds connected services by it.
    appName: options.name,
    writeConcern: { w: 'majority', journal: true },
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
    promoteBuffers: true,
    maxPoolSize: 64,
    minPoolSize: 2,
    serverSelectionTimeoutMS: 5_000,
    ...(options.traced && { monitorCommands: true }),
  });
  if (options.traced) watchCommands(client);
  const { helloOf, stop: stopWatching } = watchHello(client);
  const warn = createSeldomWarning(log);
  for (;;) {
    try {
      await client.connect();
      await client.db(options.name).command({ hello: 1 });
      break;
    } catch (error) {
      await refuseOtherSets(client, helloOf);
      warn({ reason: (error as Error).message }, 'MongoDB is not reachable; trying again.');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
  await refuseOtherSets(client, helloOf);
  stopWatching();
  const db = client.db(options.name);
  return {
    db,
    client,
    isUp: async () => {
      try {
        // The driver's `timeoutMS` has no effect here (7.9); the signal aborts if the server hangs.
        await db.command({ ping: 1 }, { signal: AbortSignal.timeout(pingTimeoutMs) });
        return true;
      } catch {
        return false;
      }
    },
  };
}

async function refuseOtherSets(client: MongoClient, helloOf: HelloOf): Promise<void> {
  const error = replicaSetError(client.options, helloOf);
  if (error === undefined) return;
  await client.close();
  throw new SettingsError([error]);
}
