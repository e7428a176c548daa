import { setMaxListeners } from 'node:events';
import type { StreamName } from '@bomtrail/messages';
import {
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { PassFaultPoint } from '../faults/arm-fault-point';
import type { Counter, Registry } from 'prom-client';
import type { Logger } from '../log/logger';
import { createBodies, type Bodies } from './bodies';
import { deadLetterCounter } from './dead-letter-counter';
import { ensureStream, ensureStreams } from './streams';

/** A live connection to NATS with JetStream. It reconnects for ever; `isUp` says whether it is there now. */
export interface BusConnection {
  readonly nats: NatsConnection;
  readonly jetstream: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly bodies: Bodies;
  readonly log: Logger;
  /** Called between two steps; undefined unless a test has armed a fault point. */
  readonly passing: PassFaultPoint | undefined;
  /** Counts what is given up, by consumer. */
  readonly deadLetters: Counter<'consumer'>;
  /** Creates a stream that is gone. What several ask for at once is done once. */
  ensureStream(name: StreamName): Promise<void>;
  isUp(): boolean;
  /** Aborts when the connection as it is now is lost: an answer on its way may never come. */
  untilLost(): AbortSignal;
}

/**
 * Connects, waiting for the server as long as it takes, and makes sure that the streams exist, also
 * after each loss of the connection: the server may have come back with nothing.
 */
export async function connectBus(options: {
  url: string;
  name: string;
  log: Logger;
  passing?: PassFaultPoint | undefined;
  registry?: Registry;
}): Promise<BusConnection> {
  const { log } = options;
  const nats = await connect({
    servers: options.url.split(','),
    name: options.name,
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    pingInterval: 10_000,
    // Otherwise each question and each message takes a stack in case it fails; our errors need none.
    noAsyncTraces: true,
  });
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
        ensureStreams(manager, log).catch((error: unknown) => {
          if (!nats.isClosed()) log.error({ err: error }, 'The streams could not be looked after.');
        });
      }
    }
  })();
  await ensureStreams(manager, log);
  return {
    nats,
    jetstream: client,
    manager,
    bodies: createBodies(client),
    log,
    passing: options.passing,
    deadLetters: deadLetterCounter(options.registry),
    ensureStream: oncePerStream((name) => ensureStream(manager, name, log)),
    isUp: () => up && !nats.isClosed(),
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

/** Every question in hand listens to it, however many there are. */
function newConnection(): AbortController {
  const connection = new AbortController();
  setMaxListeners(0, connection.signal);
  return connection;
}
