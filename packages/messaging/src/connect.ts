import { setMaxListeners } from 'node:events';
import { attachmentStream, type StoringStream, type StreamName } from '@bomtrail/messages';
import {
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import {
  connect,
  createInbox,
  errors,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { PassFaultPoint } from './faults/arm-fault-point';
import type { Registry } from 'prom-client';
import { createSeldomWarning, type Logger } from '@bomtrail/telemetry';
import { busAccess, type BusSettings, type BusUser } from './access';
import { createBodies, type Bodies } from './bodies';
import { createBusMetrics, type BusMetrics } from './bus-metrics';
import { watchPauses, type Pauses } from './pauses';
import type { Tracer } from '@bomtrail/telemetry';
import {
  markRefusing,
  indicatesStreamFailure,
  watchStreams,
  type StreamHealth,
} from './stream-health';
import { ensureStream, ensureStreams, logCreatedStreams, type StreamOptions } from './streams';

const firstConnectPauseMs = 500;
/** Timeout of an attempt to connect: a machine that hangs keeps the other servers waiting for it. */
const connectTimeoutMs = 5_000;

/** A connection to NATS with JetStream. It reconnects without limit; `isUp` is false while it is down. */
export interface BusConnection {
  readonly nats: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly bodies: Bodies;
  /** Returns a new reply subject. */
  newInbox(): string;
  readonly log: Logger;
  /** Called at each fault point; undefined unless a test has armed one. */
  readonly faultPoint: PassFaultPoint | undefined;
  /** Undefined unless tracing is enabled. */
  readonly tracer: Tracer | undefined;
  readonly metrics: BusMetrics;
  /** Creates a stream that is missing. Concurrent calls share one attempt. */
  ensureStream(name: StreamName): Promise<void>;
  /** The streams that reject messages, with the time of the first rejection (epoch milliseconds). */
  readonly refusing: Map<StoringStream, number>;
  readonly health: StreamHealth;
  readonly pauses: Pick<Pauses, 'waitedMs'>;
  isUp(): boolean;
  /** Aborts when the current connection is lost: pending responses may never arrive. */
  untilLost(): AbortSignal;
}

/**
 * Connects to NATS, waiting for the server without limit, and creates missing streams, after each reconnect
 * as well: the server may have restarted without its data.
 *
 * @throws SettingsError if `NATS_REPLICAS` exceeds what the server supports
 */
export async function connectBus(options: {
  settings: BusSettings;
  /** The user whose permissions the connection has. */
  service: BusUser;
  /** Client name shown by NATS; the service's by default. */
  name?: string;
  log: Logger;
  faultPoint?: PassFaultPoint | undefined;
  registry?: Registry;
  tracer?: Tracer | undefined;
}): Promise<BusConnection> {
  const { log, settings, service, name = service } = options;
  const access = busAccess(settings, service);
  const nats = await untilConnected(log, {
    ...access,
    name,
    // Keep trying while credentials are changed on the server.
    ignoreAuthErrorAbort: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    timeout: connectTimeoutMs,
    pingInterval: 10_000,
    // Otherwise the client captures a stack for each request and message; these errors need none.
    noAsyncTraces: true,
  });
  const { NATS_REPLICAS: replicas, NATS_STORAGE_BYTES: storageBytes } = settings;
  const care: StreamOptions = { log, replicas, storageBytes };
  const client = jetstream(nats);
  const manager = await jetstreamManager(nats, { checkAPI: false });
  let up = true;
  let thisConnection = newConnection();
  void (async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') {
        up = false;
        thisConnection.abort();
        thisConnection = newConnection();
        log.warn('The connection to NATS is lost; reconnecting.');
      } else if (status.type === 'reconnect') {
        up = true;
        log.info('The connection to NATS is back.');
        ensureStreams(manager, care)
          .then((created) => logCreatedStreams(log, created))
          .catch((error: unknown) => {
            if (nats.isClosed()) return;
            log.error({ err: error }, 'Failed to check the streams.');
          });
      } else if (status.type === 'error') {
        log.error({ reason: status.error.message }, 'NATS reported an error.');
      }
    }
  })();
  const created = await ensureStreams(manager, care).catch(async (error: unknown) => {
    await nats.close();
    throw error;
  });
  if (created.length > 0) log.info({ streams: created }, 'Streams were created.');
  const refusing = new Map<StoringStream, number>();
  const isUp = (): boolean => up && !nats.isClosed();
  const pauses = watchPauses(() => nats.flush());
  void nats.closed().then(pauses.end);
  return {
    nats,
    jetstream: client,
    manager,
    newInbox: () => createInbox(access.inboxPrefix),
    bodies: createBodies(client, {
      ...care,
      onStored: () => refusing.delete(attachmentStream),
      onRefused(error) {
        if (indicatesStreamFailure(error)) markRefusing({ refusing, isUp }, attachmentStream);
      },
    }),
    refusing,
    pauses,
    health: watchStreams({ nats, jetstream: client, refusing, isUp, log }),
    log,
    faultPoint: options.faultPoint,
    tracer: options.tracer,
    metrics: createBusMetrics(options.registry),
    ensureStream: oncePerStream(async (name) => {
      if ((await ensureStream(manager, name, care)) === 'created') logCreatedStreams(log, [name]);
    }),
    isUp,
    untilLost: () => thisConnection.signal,
  };
}

function oncePerStream(
  ensure: (name: StreamName) => Promise<void>,
): (name: StreamName) => Promise<void> {
  const pending = new Map<StreamName, Promise<void>>();
  return (name) => {
    const one = pending.get(name) ?? ensure(name).finally(() => pending.delete(name));
    pending.set(name, one);
    return one;
  };
}

async function untilConnected(log: Logger, options: ConnectionOptions): Promise<NatsConnection> {
  const warn = createSeldomWarning(log);
  for (;;) {
    try {
      return await connect(options);
    } catch (error) {
      warn({ reason: reasonOf(error as Error) }, 'NATS is not reachable; trying again.');
      await new Promise((resolve) => setTimeout(resolve, firstConnectPauseMs));
    }
  }
}

/** For an operator, who has to know which settings to check. */
function reasonOf(error: Error): string {
  const isRefused = error instanceof errors.AuthorizationError;
  const settings = 'NATS_USER and NATS_PASSWORD, NATS_NKEY or NATS_CREDS';
  return isRefused ? `NATS refuses the user (${error.message}): check ${settings}` : error.message;
}

/** Every pending request listens to its signal: no limit on listeners. */
function newConnection(): AbortController {
  const connection = new AbortController();
  setMaxListeners(0, connection.signal);
  return connection;
}
