import { scanCompleted, scanRequested, streams, type ConsumerDefinition } from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import {
  AckPolicy,
  DeliverPolicy,
  RetentionPolicy,
  type ConsumerConfig,
  type StreamConfig,
} from '@nats-io/jetstream';
import { consumes, openEventTransport, type RunningConsumer } from './consume';
import { ensureConsumer } from './ensure-consumer';
import { ensureStreams, type StreamOptions } from './streams';
import { aReference, consumerOf } from './testing/references';
import { nanosPerSecond } from './time';

let servers: TestServers;
let bus: TestBus;
const running: RunningConsumer[] = [];

beforeAll(async () => {
  servers = await startTestServers();
  bus = await connectTestBus(servers.natsUrl);
});
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});
afterAll(async () => {
  await bus?.close();
  await servers?.stop();
});

const care = (): StreamOptions => ({ log: bus.connection.log, replicas: undefined });
const { durable } = consumerOf('forgetful');
const handled: string[] = [];

function consume(): void {
  handled.length = 0;
  const handle = async ({ sbom_id }: { sbom_id: string }) => void handled.push(sbom_id);
  running.push(openEventTransport(bus.connection, consumes(consumerOf(durable), { handle })));
}

async function isHandled(n: number, within = 5_000): Promise<void> {
  await eventually(() => handled.includes(aReference(n).sbom_id), {
    within,
    what: `message ${n} is handled`,
  });
}

describe('while a service runs', () => {
  test('a deleted stream is created again, and its consumer continues', async () => {
    consume();
    await bus.publish(scanCompleted, aReference(1));
    await isHandled(1);
    await bus.connection.manager.streams.delete('EVENTS');
    await bus.publish(scanCompleted, aReference(2));
    await isHandled(2);
  });

  test('its consumer creates it without a publisher', async () => {
    consume();
    await bus.publish(scanCompleted, aReference(3));
    await isHandled(3);
    const { manager } = bus.connection;
    await manager.streams.delete('EVENTS');
    await eventually(() => manager.consumers.info('EVENTS', durable), {
      what: 'stream and consumer are there',
    });
  });

  test('a deleted consumer is created again', async () => {
    consume();
    await bus.publish(scanCompleted, aReference(4));
    await isHandled(4);
    await bus.connection.manager.consumers.delete('EVENTS', durable);
    await bus.publish(scanCompleted, aReference(5));
    await isHandled(5);
  });

  test('a recreated event consumer skips events older than an hour', async () => {
    await bus.publish(scanCompleted, aReference(8));
    const anHourLater = new Date(Date.now() + 3_601_000);
    const { manager } = bus.connection;
    await manager.consumers.delete('EVENTS', durable);
    await ensureConsumer(
      bus.connection,
      consumerOf(durable) as unknown as ConsumerDefinition<unknown>,
      anHourLater,
    );
    await bus.publish(scanCompleted, aReference(9));
    consume();
    await isHandled(9);
    expect(handled).toEqual([aReference(9).sbom_id]);
  });

  test('several processes can create the same consumer at once', async () => {
    const consumer = consumerOf('by-several') as unknown as ConsumerDefinition<unknown>;
    const moments = [1, 2, 3, 4].map((seconds) => new Date(Date.now() - seconds * 1000));
    await Promise.all(moments.map((now) => ensureConsumer(bus.connection, consumer, now)));
    const { config } = await bus.connection.manager.consumers.info('EVENTS', consumer.durable);
    expect(config.filter_subject).toBe(consumer.filterSubject);
  });

  test('after a server restart without data, all streams and consumers are created again', async () => {
    consume();
    await bus.publish(scanCompleted, aReference(6));
    await isHandled(6);
    await servers.wipeNats();
    await eventually(() => bus.publish(scanCompleted, aReference(7)), {
      what: 'a message is stored',
    });
    await isHandled(7, 15_000);
    for (const { name } of streams) await bus.connection.manager.streams.info(name);
  });
});

describe('an older definition is updated without loss of messages', () => {
  async function givenStream(name: string, older: Partial<StreamConfig>): Promise<void> {
    const { manager } = bus.connection;
    await manager.streams.delete(name);
    await manager.streams.add({ name, ...older });
  }
  const configOf = async (name: string) => (await bus.connection.manager.streams.info(name)).config;

  test('of streams: fewer subjects, another age', async () => {
    const older = { subjects: ['scan.completed.v1.*'], max_age: 3600 * nanosPerSecond };
    await givenStream('EVENTS', older);
    await givenStream('WORK', {
      subjects: ['scan.requested.v1.upload.*'],
      retention: RetentionPolicy.Workqueue,
    });
    await bus.publish(scanCompleted, aReference(10));
    await bus.publish(scanRequested, aReference(11));

    await Promise.all([1, 2, 3].map(() => ensureStreams(bus.connection.manager, care())));
    for (const { name, subjects, maxAgeHours } of streams) {
      const { subjects: now, max_age } = await configOf(name);
      expect({ name, now: [...now].sort() }).toEqual({ name, now: [...subjects].sort() });
      expect(max_age).toBe(maxAgeHours * 3600 * nanosPerSecond);
    }
    for (const name of ['EVENTS', 'WORK'])
      expect((await bus.connection.manager.streams.info(name)).state.messages).toBe(1);
    consume();
    await isHandled(10);
  });

  test('subjects of another release are kept', async () => {
    const [events] = streams;
    const later = [...(events?.subjects ?? []), 'of-a-later-release.>'];
    await givenStream('EVENTS', { subjects: later });
    await ensureStreams(bus.connection.manager, care());
    expect((await configOf('EVENTS')).subjects.sort()).toEqual(later.sort());
  });

  const times = [1, 2, 5].map((seconds) => seconds * nanosPerSecond);
  test.each<[string, Partial<ConsumerConfig>]>([
    ['other waits', { ack_wait: 3600 * nanosPerSecond, max_ack_pending: 2 }],
    ['times of its own for a redelivery', { backoff: times, max_deliver: 4 }],
    ['another filter', { filter_subject: 'scan.completed.v1.*' }],
  ])('of a consumer: %s', async (_what, older) => {
    await givenStream('EVENTS', { subjects: [...(streams[0]?.subjects ?? [])] });
    const { manager, jetstream } = bus.connection;
    await manager.consumers.add('EVENTS', {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      filter_subject: 'scan.completed.v1.upload',
      ...older,
    });
    for (const n of [20, 21, 22]) await bus.publish(scanCompleted, aReference(n));
    // One is done, one is in hand and given back, one was never taken.
    const pull = await jetstream.consumers.get('EVENTS', durable);
    await (await pull.next())?.ackAck();
    (await pull.next())?.nak();

    consume();
    await isHandled(21);
    await isHandled(22);
    expect(handled).not.toContain(aReference(20).sbom_id);
    const { config } = await manager.consumers.info('EVENTS', durable);
    expect(config).toMatchObject({
      ack_wait: 20 * nanosPerSecond,
      max_deliver: -1,
      max_ack_pending: 16_384,
      deliver_policy: DeliverPolicy.All,
      filter_subject: consumerOf(durable).filterSubject,
    });
    expect(config.backoff ?? []).toEqual([]);
  });
});
