import {
  connectBus,
  createLogger,
  createPublish,
  createRequest,
  createTell,
  openNoticeDoor,
  openRpcDoor,
  type BusConnection,
  type NoticeDoor,
  type Publish,
  type Request,
  type RpcDoor,
  type Tell,
} from '@bomtrail/service-kit';

/** A client of the bus, and the place where a test plays the services that lie outside of the one under test. */
export interface TestBus {
  readonly connection: BusConnection;
  readonly request: Request;
  readonly publish: Publish;
  readonly tell: Tell;
  /** Answers a question in place of the service that owns it. */
  play(door: RpcDoor): void;
  /** Hears a notice beside the services; gives what ends it. */
  hear(door: NoticeDoor): () => void;
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
    publish: createPublish(connection),
    tell: createTell(connection),
    play: (door) => {
      openRpcDoor(connection, door);
    },
    hear: (door) => openNoticeDoor(connection, door).close,
    close: () => connection.nats.close(),
  };
}
