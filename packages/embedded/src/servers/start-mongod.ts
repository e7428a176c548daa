import type { MongoClientOptions } from 'mongodb';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnManaged, stopProcess, type ManagedProcess } from '../processes/managed-process';
import { becomePrimary, REPLICA_SET, untilResponds } from './replica-set';
import { runServer, type RunningServer } from './running-server';
import { logTail, ServerStartError } from './start-failure';

/** mongod's exit code when it cannot listen on its port. */
const EXIT_PORT_TAKEN = 48;
/** Recovery after a crash replays the journal; a minute or two on a slow disk is normal. */
const READY_WITHIN_MS = 180_000;
/** Share of the disk that the oplog may take; nothing here reads changes from long ago. */
const OPLOG_MB = 512;
/**
 * Where the advisories and a burst of uploads do not fit into the cache, mongod spends as much on evictions
 * as on its work. It takes this memory as it needs it, and stays below 1 GiB with it.
 */
const CACHE_GB = 0.5;
/**
 * For how long old versions of documents are kept for reads of one moment: longer than any question between
 * services may take (60 s). What is kept, changes of a document that changes often walk over.
 */
const HISTORY_SECONDS = 90;

/**
 * For how long a transaction may last. One of a process that was killed goes on holding what it has written
 * until then, and up to half as long again: nobody else gets on with these lines. Ours take some
 * milliseconds, those at a start and those of 2,000 rows, the most that one holds, a second or two.
 */
const TRANSACTION_SECONDS = 15;

/**
 * Changed pages are written by checkpoints, once a minute, and by evictions only where they fill half of the
 * cache. By default those begin at a twentieth, which every burst of uploads passes: each row is an entry in
 * some twenty indexes, and the same pages are written over and over. What is committed is in the journal.
 */
const EVICTION = [
  ...['eviction_dirty_target=50', 'eviction_dirty_trigger=70'],
  ...['eviction_updates_target=50', 'eviction_updates_trigger=70'],
].join();

export interface MongodOptions {
  binary: string;
  /** Kept between starts; made when missing. */
  dataDir: string;
  /** May differ from one start to the next. */
  port: number;
  /** Appended to; `<dataDir>/mongod.log` by default. */
  logFile?: string;
  /** Memory for WiredTiger's cache in GB, at least 0.25; 0.5 by default. */
  cacheSizeGb?: number;
  /** Further arguments, such as those for TLS or for users. */
  args?: readonly string[];
  /** How it lets us look at it with these arguments. */
  client?: MongoClientOptions;
  /** It belongs to a set that somebody else initiates: it is ready as soon as it answers. */
  isMember?: boolean;
}

/**
 * Starts mongod as a replica set of one member on 127.0.0.1, initiates it or resumes it, and resolves
 * once it takes writes; with `isMember` only starts it. Majority writes are in the journal before they are acknowledged. Throws a
 * `ServerStartError` when it ends early.
 */
export function startMongod(options: MongodOptions): Promise<RunningServer> {
  return runServer({
    url: `mongodb://127.0.0.1:${options.port}/?replicaSet=${REPLICA_SET}`,
    port: options.port,
    launch: () => launch(options),
  });
}

async function launch(options: MongodOptions): Promise<ManagedProcess> {
  await mkdir(options.dataDir, { recursive: true });
  const logFile = options.logFile ?? join(options.dataDir, 'mongod.log');
  const child = await spawnManaged({
    command: options.binary,
    args: argumentsOf(options),
    logFile,
  });
  try {
    const wait = options.isMember === true ? untilResponds : becomePrimary;
    await wait({
      port: options.port,
      pid: child.pid,
      client: options.client,
      withinMs: READY_WITHIN_MS,
      gone: child.exited.then((code) => whyItEnded(code, logFile)),
    });
    return child;
  } catch (error) {
    await stopProcess(child, 0);
    throw error;
  }
}

function argumentsOf(options: MongodOptions): string[] {
  return [
    ...['--dbpath', options.dataDir, '--port', String(options.port)],
    ...['--bind_ip', '127.0.0.1', '--nounixsocket', '--quiet'],
    ...['--replSet', REPLICA_SET, '--oplogSize', String(OPLOG_MB)],
    ...['--wiredTigerCacheSizeGB', String(options.cacheSizeGb ?? CACHE_GB)],
    ...['--wiredTigerEngineConfigString', EVICTION],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    ...['--setParameter', `minSnapshotHistoryWindowInSeconds=${HISTORY_SECONDS}`],
    ...['--setParameter', `transactionLifetimeLimitSeconds=${TRANSACTION_SECONDS}`],
    // A lone member has nobody to hand over to: do not wait for that at shutdown (15 s by default).
    ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=0'],
    ...(options.args ?? []),
  ];
}

async function whyItEnded(code: number | null, logFile: string): Promise<ServerStartError> {
  if (code === EXIT_PORT_TAKEN) {
    return new ServerStartError('mongod could not listen on its port: it is taken', true);
  }
  const tail = await logTail(logFile);
  const reason = tail.includes('No space left on device') ? 'the disk is full' : `see ${logFile}`;
  return new ServerStartError(`mongod ended at its start (exit code ${code}): ${reason}`, false);
}
