import { join } from 'node:path';
import {
  freePort,
  locateServers,
  onFreePort,
  serverCacheDir,
  startMongod,
} from '@bomtrail/embedded';
import { MongoClient, Timestamp } from 'mongodb';

/** Documents written to a collection of the reconciler. */
export type Writes = Record<string, number>;

interface Entry {
  op: string;
  ns: string;
  o: { applyOps?: Entry[] };
}

/** What was written between times, by mongod's own log of operations. The stack must not run meanwhile. */
export async function readWrites(
  dataDir: string,
  times: readonly { from: Date; to: Date }[],
  say: (line: string) => void,
): Promise<Writes[]> {
  const { mongod } = await locateServers({ cacheDir: serverCacheDir(), say });
  const folder = join(dataDir, 'mongod');
  const database = await onFreePort(freePort, (port) =>
    startMongod({ binary: mongod, dataDir: folder, port, cacheSizeGb: 0.5 }),
  );
  const client = await new MongoClient(database.url).connect();
  try {
    const log = client.db('local').collection<Entry>('oplog.rs');
    const found: Writes[] = [];
    for (const { from, to } of times) {
      const within = { ts: { $gte: stampOf(from), $lt: stampOf(to) } } as object;
      const writes: Writes = { tracked_vulnerabilities: 0, vulnerability_details: 0 };
      for await (const entry of log.find(within)) count(entry, writes);
      found.push(writes);
    }
    return found;
  } finally {
    await client.close();
    await database.stop();
  }
}

function count({ op, ns, o }: Entry, writes: Writes): void {
  for (const one of o.applyOps ?? []) count(one, writes);
  const [database, collection = ''] = ns.split('.');
  if (database !== 'bomtrail_reconciler' || !['i', 'u', 'd'].includes(op)) return;
  writes[collection] = (writes[collection] ?? 0) + 1;
}

function stampOf(time: Date): Timestamp {
  return new Timestamp({ t: Math.floor(time.getTime() / 1000), i: 0 });
}
