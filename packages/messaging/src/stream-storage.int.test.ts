import {
  attachmentBucket,
  attachmentStream,
  defaultStorageBytes,
  scanCompleted,
  scanRequested,
  streams,
} from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import { headers } from '@nats-io/transport-node';
import { createLogger } from '@bomtrail/telemetry';
import { connectBus, type BusConnection } from './connect';
import { consumes, openEventTransport } from './consume';
import { createPublishOrThrow } from './publish';
import { aReference, consumerOf } from './testing/references';

const mebibyte = 1024 ** 2;
const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });

function connectTo(NATS_URL: string, NATS_STORAGE_BYTES?: number): Promise<BusConnection> {
  return connectBus({ settings: { NATS_URL, NATS_STORAGE_BYTES }, service: 'catalog', log });
}

/** The bounds of all streams that are there. */
async function boundsOf({ manager }: BusConnection): Promise<Record<string, number>> {
  const bounds: Record<string, number> = {};
  for await (const { config } of manager.streams.list()) bounds[config.name] = config.max_bytes;
  return bounds;
}

/** What they are to be when all together have so many bytes. */
function sharesOf(bytes: number): Record<string, number> {
  const bucket = { name: attachmentStream, storagePercent: attachmentBucket.storagePercent };
  return Object.fromEntries(
    [...streams, bucket].map(({ name, storagePercent }) => [
      name,
      Math.floor((bytes * storagePercent) / 100),
    ]),
  );
}

test('the shares of all streams add up to the maximum of NATS', () => {
  const shares = [...streams, attachmentBucket].map(({ storagePercent }) => storagePercent);
  expect(shares.reduce((sum, share) => sum + share)).toBe(100);
});

describe('on a server with room', () => {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startTestServers();
  });
  afterAll(() => servers?.stop());

  test('streams without a limit get their shares, follow the setting, stay unchanged without it, and lose no message', async () => {
    const first = await connectTo(servers.natsUrl);
    await createPublishOrThrow(first)(scanCompleted, aReference(1));
    await first.bodies.pack('x'.repeat(1_000_000), null, headers());
    expect(await boundsOf(first)).toEqual(sharesOf(defaultStorageBytes));
    // As an earlier release has left them.
    for (const name of Object.keys(await boundsOf(first)))
      await first.manager.streams.update(name, { max_bytes: -1 });
    await first.nats.close();

    for (const [setting, expected] of [
      [undefined, defaultStorageBytes],
      [100 * mebibyte, 100 * mebibyte],
      [undefined, 100 * mebibyte],
      [200 * mebibyte, 200 * mebibyte],
    ] as const) {
      const bus = await connectTo(servers.natsUrl, setting);
      expect(await boundsOf(bus)).toEqual(sharesOf(expected));
      const { state } = await bus.manager.streams.info('EVENTS');
      expect(state.messages).toBe(1);
      await bus.nats.close();
    }
  });
});

describe('on a server with little room', () => {
  const serverBytes = 1.5 * mebibyte;
  let servers: TestServers;
  let bus: TestBus;
  beforeAll(async () => {
    servers = await startTestServers({ maxFileStore: serverBytes });
    bus = await connectTestBus(servers.natsUrl);
  });
  afterAll(async () => {
    await bus?.close();
    await servers?.stop();
  });

  test('streams shrink to the available storage, events never displace work, and consumers skip dropped messages', async () => {
    const { connection } = bus;
    const heard = new Set<string>();
    const transport = consumes(consumerOf('over-the-gap'), {
      handle: async ({ sbom_id }) => void heard.add(sbom_id),
    });
    const before = aReference(0);
    const running = openEventTransport(connection, transport);
    await bus.publish(scanCompleted, before);
    await eventually(() => heard.has(before.sbom_id), { what: 'it is handled' });
    await running.stop();
    const bounds = Object.values(await boundsOf(connection));
    expect([bounds.length, Math.min(...bounds) > 0]).toEqual([streams.length, true]);
    expect(bounds.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(serverBytes);

    const many = Array.from({ length: 3_000 }, (_, index) => aReference(1 + index));
    while (many.length > 0)
      await Promise.all(many.splice(0, 200).map((one) => bus.publish(scanCompleted, one)));
    const { config, state } = await connection.manager.streams.info('EVENTS');
    expect(state.bytes).toBeLessThanOrEqual(config.max_bytes);
    expect(state.first_seq).toBeGreaterThan(2);
    await bus.publish(scanRequested, aReference(1));

    const again = openEventTransport(connection, transport);
    const last = aReference(3_000);
    await eventually(() => heard.has(last.sbom_id), {
      what: 'what came last is handled',
    });
    expect(heard).not.toContain(aReference(1).sbom_id);
    await again.stop();
  });
});
