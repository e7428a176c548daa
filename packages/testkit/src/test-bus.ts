import {
  connectBus,
  createPublishOrThrow,
  createRequest,
  createBroadcast,
  openBroadcastTransport,
  openRpcTransport,
  type BusConnection,
  type BroadcastTransport,
  type PublishOrThrow,
  type Request,
  type RpcTransport,
  type Broadcast,
} from '@bomtrail/messaging';
import { createLogger } from '@bomtrail/telemetry';

/** A bus client that can also stand in for services other than the one under test. */
export interface TestBus {
  readonly connection: BusConnection;
  readonly request: Request;
  readonly publish: PublishOrThrow;
  readonly broadcast: Broadcast;
  /** Serves a request in place of the service that owns it. */
  serve(transport: RpcTransport): void;
  /** Subscribes to a broadcast; returns a function that ends it. */
  subscribe(transport: BroadcastTransport): () => void;
  close(): Promise<void>;
}

/** Connects a test to the bus. */
export async function connectTestBus(natsUrl: string): Promise<TestBus> {
  const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
  const connection = await connectBus({
    settings: { NATS_URL: natsUrl },
    service: 'gateway',
    name: 'test',
    log,
  });
  return {
    connection,
    request: createRequest(connection),
    publish: createPublishOrThrow(connection),
    broadcast: createBroadcast(connection),
    serve: (transport) => {
      openRpcTransport(connection, transport);
    },
    subscribe: (transport) => openBroadcastTransport(connection, transport).close,
    close: () => connection.nats.close(),
  };
}
