import { MongoClient, type Document, type MongoClientOptions } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';

/** Name of the replica set of every mongod that bomtrail starts. */
export const REPLICA_SET = 'rs0';
const POLL_MS = 50;

/** A mongod that was started a moment ago. */
interface Started {
  port: number;
  /** Of our mongod: another process may listen on the port while ours is about to find it taken. */
  pid: number;
  client?: MongoClientOptions | undefined;
  withinMs: number;
  /** Gives why it ended, when it does. */
  gone: Promise<Error>;
}

/**
 * Waits until the mongod on `port` is a primary that takes writes. Initiates the replica set on a new
 * data folder; on one that was used with another port, tells the set its new address. Rejects with what
 * `gone` gives when mongod ends first, and after `withinMs`.
 */
export function becomePrimary(options: Started): Promise<void> {
  return untilDone(options, (client) => takeNextStep(client, `127.0.0.1:${options.port}`));
}

/** Waits until the mongod on `port` answers, whatever it is in its set. Rejects as `becomePrimary` does. */
export function untilResponds(options: Started): Promise<void> {
  return untilDone(options, async () => true);
}

/** Looks again and again until a look says that all is done. */
async function untilDone(
  options: Started,
  check: (client: MongoClient) => Promise<boolean>,
): Promise<void> {
  const state: { ended?: Error } = {};
  void options.gone.then((error) => {
    state.ended = error;
  });
  const deadline = Date.now() + options.withinMs;
  let last: unknown;
  while (Date.now() < deadline) {
    if (state.ended !== undefined) throw state.ended;
    try {
      if (await lookAt(options, check)) return;
    } catch (error) {
      last = error;
    }
    await Promise.race([delay(POLL_MS), options.gone]);
  }
  throw new Error(`mongod was not ready within ${options.withinMs / 1000} s`, { cause: last });
}

/** One look at mongod over a client of its own: one whose first connection failed stays closed. */
async function lookAt(
  server: Started,
  check: (client: MongoClient) => Promise<boolean>,
): Promise<boolean> {
  const { port, pid } = server;
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, {
    ...server.client,
    directConnection: true,
    serverSelectionTimeoutMS: 1_000,
  });
  try {
    const status = await client.db('admin').command({ serverStatus: 1 });
    if (Number(status['pid']) !== pid) return false;
    return await check(client);
  } finally {
    await client.close();
  }
}

/** Takes the next step towards a primary; true when there is one. */
async function takeNextStep(client: MongoClient, host: string): Promise<boolean> {
  const admin = client.db('admin');
  const hello = await admin.command({ hello: 1 });
  const config = await client
    .db('local')
    .collection('system.replset')
    .findOne({}, { readPreference: 'nearest' });
  if (config === null) {
    await admin.command({ replSetInitiate: initialConfig(host) });
    return false;
  }
  if (config['members'][0].host !== host) {
    const members = [{ ...config['members'][0], host }];
    const moved = { ...config, version: config['version'] + 1, members };
    await admin.command({ replSetReconfig: moved, force: true });
    return false;
  }
  return hello['isWritablePrimary'] === true;
}

function initialConfig(host: string): Document {
  return {
    _id: REPLICA_SET,
    version: 1,
    writeConcernMajorityJournalDefault: true,
    members: [{ _id: 0, host }],
  };
}
