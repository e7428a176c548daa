import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnManaged, stopProcess, type ManagedProcess } from '../processes/managed-process';
import { runServer, type RunningServer } from './running-server';
import { logSince, logSize, ServerStartError } from './start-failure';

/** Recovering big streams after a crash takes seconds, not minutes. */
const READY_WITHIN_MS = 60_000;
const POLL_MS = 30;
const DEFAULT_MAX_PAYLOAD = 1024 * 1024;

export interface NatsOptions {
  binary: string;
  /** Folder of streams and configuration; created if missing. */
  dataDir: string;
  port: number;
  /** Appended to; `<dataDir>/nats-server.log` by default. */
  logFile?: string;
  /** Largest message in bytes, 1 MiB by default. */
  maxPayload?: number;
  /** Maximum bytes of JetStream; by default three quarters of the free disk space at the start. */
  maxFileStore?: number;
  /** Name that identifies it in a cluster; random by default. */
  serverName?: string;
  /** Additional configuration, such as permissions. */
  config?: string;
  /** Environment variables used in the configuration. */
  env?: NodeJS.ProcessEnv;
}

/**
 * Starts nats-server with file-based JetStream on 127.0.0.1 and resolves once JetStream is available.
 *
 * @throws ServerStartError if it ends early
 */
export function startNats(options: NatsOptions): Promise<RunningServer> {
  return runServer({
    url: `nats://127.0.0.1:${options.port}`,
    port: options.port,
    launch: () => launch(options),
  });
}

async function launch(options: NatsOptions): Promise<ManagedProcess> {
  await mkdir(options.dataDir, { recursive: true });
  const configFile = join(options.dataDir, 'nats-server.conf');
  const logFile = options.logFile ?? join(options.dataDir, 'nats-server.log');
  const serverName = options.serverName ?? `bomtrail-${randomUUID()}`;
  await writeFile(configFile, natsConfig({ ...options, serverName }));
  const begin = await logSize(logFile);
  const child = await spawnManaged({
    command: options.binary,
    args: ['--config', configFile],
    env: { ...process.env, ...options.env },
    logFile,
  });
  try {
    await untilReady({
      port: options.port,
      serverName,
      withinMs: READY_WITHIN_MS,
      gone: child.exited.then((code) => whyItEnded(code, { logFile, begin })),
    });
    return child;
  } catch (error) {
    await stopProcess(child, 0);
    throw error;
  }
}

/** Formats the configuration file; paths are JSON strings. */
export function natsConfig(
  options: Pick<NatsOptions, 'dataDir' | 'port' | 'maxPayload' | 'maxFileStore' | 'config'> & {
    serverName: string;
  },
): string {
  return [
    `server_name: "${options.serverName}"`,
    `listen: "127.0.0.1:${options.port}"`,
    `max_payload: ${options.maxPayload ?? DEFAULT_MAX_PAYLOAD}`,
    'jetstream {',
    `  store_dir: ${JSON.stringify(join(options.dataDir, 'jetstream'))}`,
    ...(options.maxFileStore === undefined ? [] : [`  max_file_store: ${options.maxFileStore}`]),
    '}',
    options.config ?? '',
    '',
  ].join('\n');
}

async function untilReady(options: {
  port: number;
  serverName: string;
  withinMs: number;
  gone: Promise<Error>;
}): Promise<void> {
  const state: { ended?: Error } = {};
  void options.gone.then((error) => {
    state.ended = error;
  });
  const deadline = Date.now() + options.withinMs;
  while (Date.now() < deadline) {
    if (state.ended !== undefined) throw state.ended;
    if (await offersJetStream(options)) return;
    await Promise.race([delay(POLL_MS), options.gone]);
  }
  throw new Error(`nats-server was not ready within ${options.withinMs / 1000} s`);
}

/**
 * True if the greeting is from the server of that name and offers JetStream: another process may listen on the port.
 */
export function isReady(greeting: string, serverName: string): boolean {
  const info = /^INFO (\{.*\})/.exec(greeting)?.[1];
  if (info === undefined) return false;
  const offered: unknown = JSON.parse(info);
  if (typeof offered !== 'object' || offered === null) return false;
  const { server_name: name, jetstream } = offered as {
    server_name?: unknown;
    jetstream?: unknown;
  };
  return name === serverName && jetstream === true;
}

/** The server's first line to a client is `INFO {…}`. */
function offersJetStream(server: { port: number; serverName: string }): Promise<boolean> {
  return new Promise((resolve) => {
    let greeting = '';
    const socket = connect({ host: '127.0.0.1', port: server.port });
    const finish = (offers: boolean): void => {
      socket.destroy();
      resolve(offers);
    };
    socket.setTimeout(2_000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('close', () => resolve(false));
    socket.on('data', (chunk) => {
      greeting += chunk.toString('utf8');
      if (greeting.includes('\n')) finish(isReady(greeting, server.serverName));
    });
  });
}

async function whyItEnded(
  code: number | null,
  { logFile, begin }: { logFile: string; begin: number },
): Promise<ServerStartError> {
  const said = await logSince(logFile, begin);
  if (said.includes('address already in use')) {
    return new ServerStartError('nats-server could not listen on its port: it is taken', true);
  }
  const reason = said.includes('no space left on device') ? 'the disk is full' : `see ${logFile}`;
  return new ServerStartError(
    `nats-server ended at its start (exit code ${code}): ${reason}`,
    false,
  );
}
