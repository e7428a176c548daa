import { MongoClient, type Document, type MongoClientOptions } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';

/** Name of the replica set of every mongod that bomtrail starts. */
export const REPLICA_SET = 'rs0';
const POLL_MS = 50;

/** A mongod process that was just started. */
interface Started {
  port: number;
  /** Process id of this mongod: another process may listen on the port. */
  pid: number;
  client?: MongoClientOptions | undefined;
  withinMs: number;
  /** Resolves to the reason when the process ends. */
  gone: Promise<Error>;
}

/**
 * Waits until the mongod on `port` is a writable primary. Initiates the replica set on a new data folder; updates the
 * address if the port changed. Rejects with `gone` if mongod ends, and after `withinMs`.
 */
export function becomePrimary(options: Started): Promise<void> {
  return untilDone(options, (client) => takeNextStep(client, `127.0.0.1:${options.port}`));
}

/** Waits until the mongod on `port` responds, whatever its state. Rejects like `becomePrimary`. */
export function untilResponds(options: Started): Promise<void> {
  return untilDone(options, async () => true);
}

/** Repeats a check until it is true. */
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

/** Checks mongod with a new client: a client whose first connection failed stays closed. */
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

/** Takes the next step towards a primary; true if there is one. */
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
