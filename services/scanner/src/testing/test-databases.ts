import { startTestServers } from '@bomtrail/testkit';
import { MongoClient, type Db } from 'mongodb';
import { scannerIndexes } from '../store/indexes';

/** Databases of a test file, for tests of stores and use cases without the service. */
export interface TestDatabases {
  /** A database of that name with the scanner's indexes. */
  open(name: string): Promise<Db>;
  /** Drops them all. */
  stop(): Promise<void>;
}

/** Call in `beforeAll`, and `stop` in `afterAll`. */
export async function startTestDatabases(): Promise<TestDatabases> {
  const servers = await startTestServers();
  const client = await new MongoClient(servers.mongoUri).connect();
  return {
    async open(name) {
      const db = client.db(`${servers.prefix}${name}`);
      for (const [collection, indexes] of Object.entries(scannerIndexes))
        await db.collection(collection).createIndexes([...indexes]);
      return db;
    },
    async stop() {
      await client.close();
      await servers.stop();
    },
  };
}
