import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';

/** MongoDB's own, its log of operations included. */
const serverDatabases: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** The database of a running stack, for what is not to be seen over the API. To be closed by the caller. */
export async function connectDatabase(dataDir: string): Promise<MongoClient> {
  const { mongoUri } = JSON.parse(readFileSync(join(dataDir, 'servers.json'), 'utf8')) as {
    mongoUri: string;
  };
  return new MongoClient(mongoUri).connect();
}

/** Bytes of all collections and indexes of the services on disk, after what is in memory is written. */
export async function readStoredBytes(dataDir: string): Promise<number> {
  const client = await connectDatabase(dataDir);
  try {
    const admin = client.db().admin();
    await admin.command({ fsync: 1 });
    const { databases } = await admin.listDatabases({ nameOnly: true });
    const own = databases.filter(({ name }) => !serverDatabases.has(name));
    // Files grow in steps; what is free in them is filled next.
    const sizes = await Promise.all(
      own.map(({ name }) => client.db(name).command({ dbStats: 1, freeStorage: 1 })),
    );
    return sizes.reduce(
      (sum, { totalSize, totalFreeStorageSize: free }) => sum + Number(totalSize) - Number(free),
      0,
    );
  } finally {
    await client.close();
  }
}
