import {
  connectBus,
  createLogger,
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
} from '@bomtrail/service-kit';

/** A client of the bus, and the place where a test plays the services that lie outside of the one under test. */
export interface TestBus {
  readonly connection: BusConnection;
  readonly request: Request;
  readonly publish: PublishOrThrow;
  readonly broadcast: Broadcast;
  /** Answers a question in place of the service that owns it. */
  serve(transport: RpcTransport): void;
  /** Hears a notice beside the services; gives what ends it. */
  subscribe(transport: BroadcastTransport): () => void;
  close(): Promise<void>;
}

/** Connects a test to the bus with the kit's own functions. */
export async function connectTestBus(natsUrl: string): Promise<TestBus> {
  const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
  const connection = await connectBus({
    ...{ settings: { NATS_URL: natsUrl }, service: 'gateway', name: 'test', log },
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
