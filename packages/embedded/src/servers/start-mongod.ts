import type { MongoClientOptions } from 'mongodb';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { spawnManaged, stopProcess, type ManagedProcess } from '../processes/managed-process';
import { becomePrimary, REPLICA_SET, untilResponds } from './replica-set';
import { runServer, type RunningServer } from './running-server';
import { logSince, logSize, ServerStartError } from './start-failure';

/** mongod's exit code for a port in use. */
const EXIT_PORT_TAKEN = 48;
/** Recovery after a crash replays the journal; a minute or two on a slow disk is normal. */
const READY_WITHIN_MS = 180_000;
/** Maximum size of the oplog; old changes are not needed. */
const OPLOG_MB = 512;
/**
 * Cache size: with less, advisories and a burst of uploads cause as much eviction as work. mongod then stays below 1
 * GiB.
 */
const CACHE_GB = 0.5;
/** History for snapshot reads, longer than any request (60 s). Longer history slows documents that change often. */
const HISTORY_SECONDS = 90;

/**
 * Maximum duration of a transaction. One of a killed process blocks its documents until then, or up to half as long
 * again. Own transactions take milliseconds, the largest (2,000 tracked vulnerabilities) one or two seconds.
 */
const TRANSACTION_SECONDS = 15;

/**
 * Dirty share of the cache at which eviction starts. The default of 5% is passed by every burst of uploads, and the
 * same index pages are written again and again; the journal has all committed data.
 */
const EVICTION = [
  'eviction_dirty_target=50',
  'eviction_dirty_trigger=70',
  'eviction_updates_target=50',
  'eviction_updates_trigger=70',
].join();

export interface MongodOptions {
  binary: string;
  /** Created if missing; reused by later starts. */
  dataDir: string;
  /** May change between starts. */
  port: number;
  /** Appended to; `<dataDir>/mongod.log` by default. */
  logFile?: string;
  /** Size of WiredTiger's cache in GB, at least 0.25; 0.5 by default. */
  cacheSizeGb?: number;
  /** Further arguments, such as those for TLS or for users. */
  args?: readonly string[];
  /** Client options needed with these arguments. */
  client?: MongoClientOptions;
  /** Member of a set initiated by the caller: ready as soon as it responds. */
  isMember?: boolean;
}

/**
 * Starts mongod as a single-member replica set on 127.0.0.1 and resolves once it is writable; with `isMember` only
 * starts it. Majority writes are journaled before they are acknowledged.
 *
 * @throws ServerStartError if it ends early
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
  const begin = await logSize(logFile);
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
      gone: child.exited.then((code) => whyItEnded(code, { logFile, begin })),
    });
    return child;
  } catch (error) {
    await stopProcess(child, 0);
    throw error;
  }
}

function argumentsOf(options: MongodOptions): string[] {
  return [
    '--dbpath',
    options.dataDir,
    '--port',
    String(options.port),
    '--bind_ip',
    '127.0.0.1',
    '--nounixsocket',
    '--quiet',
    '--replSet',
    REPLICA_SET,
    '--oplogSize',
    String(OPLOG_MB),
    '--wiredTigerCacheSizeGB',
    String(options.cacheSizeGb ?? CACHE_GB),
    '--wiredTigerEngineConfigString',
    EVICTION,
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
    '--setParameter',
    `minSnapshotHistoryWindowInSeconds=${HISTORY_SECONDS}`,
    '--setParameter',
    `transactionLifetimeLimitSeconds=${TRANSACTION_SECONDS}`,
    // A single member cannot hand over: skip that wait at shutdown (15 s by default).
    '--setParameter',
    'shutdownTimeoutMillisForSignaledShutdown=0',
    ...(options.args ?? []),
  ];
}

async function whyItEnded(
  code: number | null,
  { logFile, begin }: { logFile: string; begin: number },
): Promise<ServerStartError> {
  if (code === EXIT_PORT_TAKEN) {
    return new ServerStartError('mongod could not listen on its port: it is taken', true);
  }
  const said = await logSince(logFile, begin);
  const reason = said.includes('No space left on device') ? 'the disk is full' : `see ${logFile}`;
  return new ServerStartError(`mongod ended at its start (exit code ${code}): ${reason}`, false);
}
