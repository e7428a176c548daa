import { readFileSync } from 'node:fs';
import path from 'node:path';
import { connectTestBus } from '@bomtrail/testkit';
import { MongoClient } from 'mongodb';

/** Counts of what comes and goes by itself: leases, the positions of sweeps, and the statistics of a day. */
const passing = ['leases', 'walks', 'daily_statistics', 'statistics_progress'];

/** The number of documents in every collection of every database, and of messages ever stored in every stream. */
export async function storedCounts(dataDir: string): Promise<Record<string, number>> {
  const text = readFileSync(path.join(dataDir, 'servers.json'), 'utf8');
  const { mongoUri, natsUrl } = JSON.parse(text) as { mongoUri: string; natsUrl: string };
  return { ...(await documentCounts(mongoUri)), ...(await messageCounts(natsUrl)) };
}

async function documentCounts(mongoUri: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const client = await new MongoClient(mongoUri).connect();
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((one) => one.name.startsWith('bomtrail_')))
      for (const collection of await client.db(name).listCollections().toArray())
        if (!passing.includes(collection.name))
          counts[`${name}.${collection.name}`] = await client
            .db(name)
            .collection(collection.name)
            .countDocuments();
    return counts;
  } finally {
    await client.close();
  }
}

async function messageCounts(natsUrl: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const bus = await connectTestBus(natsUrl);
  try {
    for await (const { config, state } of bus.connection.manager.streams.list())
      counts[config.name] = config.name.startsWith('OBJ_') ? state.messages : state.last_seq;
    return counts;
  } finally {
    await bus.close();
  }
}
