import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';

/** The database of a running stack, for what is not to be seen over the API. To be closed by the caller. */
export async function connectDatabase(dataDir: string): Promise<MongoClient> {
  const { mongoUri } = JSON.parse(readFileSync(join(dataDir, 'servers.json'), 'utf8')) as {
    mongoUri: string;
  };
  return new MongoClient(mongoUri).connect();
}
