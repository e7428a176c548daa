import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePort,
  locateServers,
  onFreePort,
  serverCacheDir,
  startMongod,
  startNats,
  type RunningServer,
} from '@bomtrail/embedded';
import { MongoClient } from 'mongodb';
import { uniquePrefix } from './unique-prefix';
import { allowWrites, stopWrites } from './write-limit';

/** One test file's servers. */
export interface TestServers {
  /** A replica set of one; shared by the run's test files where the suite's set-up has started one. */
  mongoUri: string;
  natsUrl: string;
  /** `MONGODB_DATABASE_PREFIX` of this test file; databases with it are dropped by `stop`. */
  prefix: string;
  /** Kills nats-server and starts it again on the same data and port. */
  restartNats(): Promise<void>;
  /** Kills nats-server, loses all that it held, and starts it again on the same port. */
  wipeNats(): Promise<void>;
  /** Lets every write of nats-server fail, as on a full disk, or takes that back. */
  stopNatsWrites(): Promise<void>;
  allowNatsWrites(): Promise<void>;
  /** Kills mongod and starts it again on the same data and port; only with `ownMongod`. */
  restartMongod(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestServersOptions {
  /** Start a mongod for this test file alone, for a test that kills it. */
  ownMongod?: boolean;
  /** Largest message of nats-server in bytes, 1 MiB by default. */
  maxPayload?: number;
  /** Bytes that JetStream of nats-server may take; by default what the disk has. */
  maxFileStore?: number;
}

/**
 * Starts a nats-server, and a mongod unless the run has a shared one (`BOMTRAIL_TEST_MONGODB_URI`), on
 * temporary folders and free ports of 127.0.0.1. Call `stop` in `afterAll`.
 */
export async function startTestServers(options: TestServersOptions = {}): Promise<TestServers> {
  const folder = await mkdtemp(join(tmpdir(), 'bomtrail-test-'));
  const binaries = await locateServers({
    cacheDir: serverCacheDir(),
    say: (line) => process.stderr.write(`${line}\n`),
  });
  const shared = options.ownMongod === true ? undefined : process.env['BOMTRAIL_TEST_MONGODB_URI'];
  const mongod = shared === undefined ? await runMongod(binaries.mongod, folder) : undefined;
  const natsFolder = join(folder, 'nats');
  const nats = await onFreePort(freePort, (port) =>
    startNats({
      binary: binaries.natsServer,
      dataDir: natsFolder,
      port,
      logFile: join(folder, 'nats-server.log'),
      maxPayload: options.maxPayload,
      maxFileStore: options.maxFileStore,
    }),
  );
  const mongoUri = shared ?? mongod?.url ?? '';
  const prefix = uniquePrefix();
  return {
    mongoUri,
    natsUrl: nats.url,
    prefix,
    restartNats: () => nats.restart(),
    wipeNats: async () => {
      nats.kill('SIGKILL');
      await nats.exited;
      await rm(natsFolder, { recursive: true, force: true });
      await nats.restart();
    },
    stopNatsWrites: () => stopWrites(nats.pid),
    allowNatsWrites: () => allowWrites(nats.pid),
    restartMongod: async () => {
      if (mongod === undefined) throw new Error('restartMongod needs the option ownMongod');
      await mongod.restart();
    },
    stop: async () => {
      nats.kill('SIGKILL');
      await nats.exited;
      await stopMongod(mongod, { mongoUri, prefix });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function runMongod(binary: string, folder: string): Promise<RunningServer> {
  return onFreePort(freePort, (port) =>
    startMongod({ binary, dataDir: join(folder, 'mongod'), port }),
  );
}

async function stopMongod(
  own: RunningServer | undefined,
  databases: { mongoUri: string; prefix: string },
): Promise<void> {
  if (own === undefined) {
    await dropDatabases(databases.mongoUri, databases.prefix);
    return;
  }
  own.kill('SIGKILL');
  await own.exited;
}

async function dropDatabases(mongoUri: string, prefix: string): Promise<void> {
  const client = new MongoClient(mongoUri);
  try {
    const filter = { name: { $regex: `^${prefix}` } };
    const { databases } = await client
      .db('admin')
      .admin()
      .listDatabases({ filter, nameOnly: true });
    for (const { name } of databases) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
