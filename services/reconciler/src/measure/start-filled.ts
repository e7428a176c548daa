import { startService, type RunningService } from '@bomtrail/service-runtime';
import { MongoClient, type Db } from 'mongodb';
import { compose } from '../compose';
import { settings } from '../config';
import { fillDatabase } from './fill-database';

/** A database with its servers; filled if it is empty. */
export interface MeasuredDatabase {
  vulnerabilities: number;
  /** Vulnerabilities of a service, on average; default: 50. */
  perService?: number;
  mongodbUri: string;
  natsUrl: string;
}

/** A reconciler on a filled database with indexes. */
export interface FilledReconciler {
  db: Db;
  /** From its start until it was ready. */
  prepareSeconds: number;
  /** Stops the reconciler and closes its database connection. */
  stop(): Promise<void>;
}

/**
 * Fills a database and starts the reconciler on it.
 *
 * @param prefix of the database names
 */
export async function startFilled(
  database: MeasuredDatabase,
  prefix: string,
  say: (line: string) => void,
): Promise<FilledReconciler> {
  const client = await new MongoClient(database.mongodbUri).connect();
  const db = client.db(`${prefix}reconciler`);
  await fillDatabase(db, database, say);
  say(`${database.vulnerabilities} vulnerabilities: starting the reconciler`);
  const begin = performance.now();
  const service: RunningService = await startService(
    { name: 'reconciler', settings, compose },
    settings.parse({
      MONGODB_URI: database.mongodbUri,
      MONGODB_DATABASE_PREFIX: prefix,
      NATS_URL: database.natsUrl,
      LOG_LEVEL: 'warn',
      INTERNAL_HTTP_PORT: 0,
      INTERNAL_HTTP_HOST: '127.0.0.1',
    }),
  );
  const prepareSeconds = (performance.now() - begin) / 1000;
  return {
    db,
    prepareSeconds,
    async stop() {
      await service.stop();
      await client.close();
    },
  };
}
