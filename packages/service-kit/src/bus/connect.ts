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
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { PassFaultPoint } from '../faults/arm-fault-point';
import type { Registry } from 'prom-client';
import type { Logger } from '../log/logger';
import { busAccess, type BusSettings, type BusUser } from './access';
import { createBodies, type Bodies } from './bodies';
import { createBusMetrics, type BusMetrics } from './bus-metrics';
import type { Tracer } from '../traces/span';
import {
  beginsToRefuse,
  saysStreamStoresNothing,
  watchStreams,
  type StreamHealth,
} from './stream-health';
import { ensureStream, ensureStreams, tellCreated, type StreamCare } from './streams';

const firstConnectPauseMs = 500;

/** A live connection to NATS with JetStream. It reconnects for ever; `isUp` says whether it is there now. */
export interface BusConnection {
  readonly nats: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly bodies: Bodies;
  /** A new subject to which an answer can be sent. */
  newInbox(): string;
  readonly log: Logger;
  /** Called between two steps; undefined unless a test has armed a fault point. */
  readonly passing: PassFaultPoint | undefined;
  /** Undefined unless traces are switched on. */
  readonly tracer: Tracer | undefined;
  readonly metrics: BusMetrics;
  /** Creates a stream that is gone. What several ask for at once is done once. */
  ensureStream(name: StreamName): Promise<void>;
  /** Since when a stream takes nothing, in milliseconds of the clock; one that takes messages is not in it. */
  readonly refusing: Map<StoringStream, number>;
  readonly health: StreamHealth;
  isUp(): boolean;
  /** Aborts when the connection as it is now is lost: an answer on its way may never come. */
  untilLost(): AbortSignal;
}

/**
 * Connects, waiting for the server as long as it takes, and makes sure that the streams exist, also
 * after each loss of the connection: the server may have come back with nothing.
 *
 * @throws SettingsError where `NATS_REPLICAS` asks for more than the server can do
 */
export async function connectBus(options: {
  settings: BusSettings;
  /** Whose rights it has. */
  service: BusUser;
  /** By which it is known to NATS; the service's by default. */
  name?: string;
  log: Logger;
  passing?: PassFaultPoint | undefined;
  registry?: Registry;
  tracer?: Tracer | undefined;
}): Promise<BusConnection> {
  const { log, settings, service, name = service } = options;
  const access = busAccess(settings, service);
  const nats = await untilConnected(log, {
    ...access,
    name,
    // Credentials that are being changed on the server are tried again, too.
    ignoreAuthErrorAbort: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    pingInterval: 10_000,
    // Otherwise each question and each message takes a stack in case it fails; our errors need none.
    noAsyncTraces: true,
  });
  const { NATS_REPLICAS: replicas, NATS_STORAGE_BYTES: storageBytes } = settings;
  const care: StreamCare = { log, replicas, storageBytes };
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
        log.warn('The connection to NATS is lost; it is tried again until it is back.');
      } else if (status.type === 'reconnect') {
        up = true;
        log.info('The connection to NATS is back.');
        ensureStreams(manager, care)
          .then((created) => tellCreated(log, created))
          .catch((error: unknown) => {
            if (nats.isClosed()) return;
            log.error({ err: error }, 'The streams could not be looked after.');
          });
      } else if (status.type === 'error') {
        log.error({ reason: status.error.message }, 'NATS refused something.');
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
  return {
    nats,
    jetstream: client,
    manager,
    newInbox: () => createInbox(access.inboxPrefix),
    bodies: createBodies(client, {
      ...care,
      onStored: () => refusing.delete(attachmentStream),
      onRefused(error) {
        if (saysStreamStoresNothing(error)) beginsToRefuse({ refusing, isUp }, attachmentStream);
      },
    }),
    refusing,
    health: watchStreams({ nats, jetstream: client, refusing, isUp, log }),
    log,
    passing: options.passing,
    tracer: options.tracer,
    metrics: createBusMetrics(options.registry),
    ensureStream: oncePerStream(async (name) => {
      if ((await ensureStream(manager, name, care)) === 'created') tellCreated(log, [name]);
    }),
    isUp,
    untilLost: () => thisConnection.signal,
  };
}

function oncePerStream(
  ensure: (name: StreamName) => Promise<void>,
): (name: StreamName) => Promise<void> {
  const underWay = new Map<StreamName, Promise<void>>();
  return (name) => {
    const one = underWay.get(name) ?? ensure(name).finally(() => underWay.delete(name));
    underWay.set(name, one);
    return one;
  };
}

async function untilConnected(log: Logger, options: ConnectionOptions): Promise<NatsConnection> {
  for (;;) {
    try {
      return await connect(options);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'NATS is not reachable; trying again.');
      await new Promise((resolve) => setTimeout(resolve, firstConnectPauseMs));
    }
  }
}

/** Every question in hand listens to it, however many there are. */
function newConnection(): AbortController {
  const connection = new AbortController();
  setMaxListeners(0, connection.signal);
  return connection;
}
