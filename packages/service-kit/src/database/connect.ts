import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import type { Logger } from '../log/logger';
import type { CommonSettings } from '../settings/common-settings';
import { watchCommands } from '../traces/watch-commands';

/** A server that takes longer for nothing is as good as away. */
const pingTimeoutMs = 1_000;

/** Settings that say where MongoDB is and who we are to it. */
export type DatabaseSettings = Pick<CommonSettings, 'MONGODB_URI'> &
  Partial<Pick<CommonSettings, 'MONGODB_USERNAME' | 'MONGODB_PASSWORD'>>;

/** Who we are, where the address does not say it. */
export function databaseCredentials(settings: DatabaseSettings): MongoClientOptions {
  const { MONGODB_USERNAME: username, MONGODB_PASSWORD: password } = settings;
  return username && password ? { auth: { username, password } } : {};
}

/** A service's own database and the client behind it. */
export interface Database {
  readonly db: Db;
  readonly client: MongoClient;
  /** Does the server answer? Resolves within about a second, also where the server hangs. */
  isUp(): Promise<boolean>;
}

/**
 * Connects to the service's own database, under whose name it is known to MongoDB, waiting for the server as long as it takes. Every write
 * is acknowledged by a majority with its journal: an answer that says "stored" means it.
 */
export async function connectDatabase(options: {
  settings: DatabaseSettings;
  name: string;
  log: Logger;
  /** Are commands parts of the traces of the work that they belong to? */
  traced?: boolean;
}): Promise<Database> {
  const { log } = options;
  const client = new MongoClient(options.settings.MONGODB_URI, {
    ...databaseCredentials(options.settings),
    // MongoDB lists who is connected by it; a restore refuses while anybody is.
    appName: options.name,
    writeConcern: { w: 'majority', journal: true },
    retryWrites: true,
    retryReads: true,
    ignoreUndefined: true,
    promoteBuffers: true,
    maxPoolSize: 64,
    minPoolSize: 2,
    serverSelectionTimeoutMS: 5_000,
    // Else what the address says.
    ...(options.traced && { monitorCommands: true }),
  });
  if (options.traced) watchCommands(client);
  for (;;) {
    try {
      await client.connect();
      await client.db(options.name).command({ ping: 1 });
      break;
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'MongoDB is not reachable; trying again.');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
  const db = client.db(options.name);
  return {
    db,
    client,
    isUp: async () => {
      try {
        // The driver's `timeoutMS` has no effect (7.9); the signal ends a wait for a server that hangs.
        await db.command({ ping: 1 }, { signal: AbortSignal.timeout(pingTimeoutMs) });
        return true;
      } catch {
        return false;
      }
    },
  };
}
