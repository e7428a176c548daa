import { scanCompleted, type ConsumerDefinition, type SbomReference } from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { consumes, openEventDoor, type RunningConsumer } from './consume';
import { ensureConsumer } from './ensure-consumer';
import type { MessageHandler } from './handle-message';
import { aReference, consumerOf } from './testing/references';
import { nanosPerSecond } from './time';

let servers: TestServers;
let bus: TestBus;
const running: RunningConsumer[] = [];
/** What holds back the handlers of a test until it lets them go on. */
let letGo: () => void = () => {};

beforeAll(async () => {
  servers = await startTestServers();
  bus = await connectTestBus(servers.natsUrl);
});
afterEach(async () => {
  letGo();
  for (const one of running.splice(0)) await one.stop();
  await bus.connection.manager.streams.purge('EVENTS');
});
afterAll(async () => {
  await bus?.close();
  await servers?.stop();
});

type Definition = ConsumerDefinition<SbomReference>;

function open(consumer: Definition, handler: MessageHandler<SbomReference>): RunningConsumer {
  const one = openEventDoor(bus.connection, consumes(consumer, handler));
  running.push(one);
  return one;
}

function untilLetGo(): Promise<void> {
  return new Promise((resolve) => (letGo = resolve));
}

let published = 0;

/** Messages that no test before this one has published: the broker takes none twice. */
async function publish(count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () => aReference((published += 1)));
  for (const one of made) await bus.publish(scanCompleted, one);
  return made.map(({ sbom_id }) => sbom_id);
}

/** The consumer as another process sees it, with none of this kit. */
async function beside(consumer: Definition): Promise<Consumer> {
  await ensureConsumer(bus.connection, consumer as unknown as ConsumerDefinition<unknown>);
  return bus.connection.jetstream.consumers.get('EVENTS', consumer.durable);
}

const unsettled = async ({ durable }: Definition): Promise<number> =>
  (await bus.connection.manager.consumers.info('EVENTS', durable)).num_ack_pending;

describe('a process whose hands are full', () => {
  test.each<[string, Partial<Definition>, number]>([
    ['in the order of arrival', {}, 8],
    ['in turns', { turnOf: ({ project_id }) => project_id }, 32],
  ])(
    'leaves the rest to others, who are the first to be given it: %s',
    async (_how, own, most) => {
      const consumer = { ...consumerOf(`full-${most}`), ...own };
      const other = await beside(consumer);
      const ackWait = 6;
      const gate = untilLetGo();
      const handled: string[] = [];
      open(consumer, {
        handle: async ({ sbom_id }) => {
          await gate;
          handled.push(sbom_id);
        },
      });
      const held = await publish(most);
      await eventually(async () => (await unsettled(consumer)) === most, {
        ...{ within: 5_000, what: 'it holds as many as it may' },
      });
      const { manager } = bus.connection;
      await manager.consumers.update('EVENTS', consumer.durable, {
        ...{ ack_wait: ackWait * nanosPerSecond },
      });
      const later = await publish(3);
      const given: JsMsg[] = [];
      const asked = { max_messages: later.length, expires: (ackWait + 3) * 1000 };
      for await (const message of await other.fetch(asked)) {
        given.push(message);
        message.ack();
      }
      expect(given.map(({ info }) => info.deliveryCount)).toEqual(later.map(() => 1));
      letGo();
      await eventually(() => handled.length === most, {
        ...{ within: 5_000, what: 'it has done what it held' },
      });
      expect(handled.sort()).toEqual(held);
      const [next = ''] = await publish(1);
      await eventually(() => handled.includes(next), {
        ...{ within: 5_000, what: 'it takes more' },
      });
    },
    30_000,
  );

  test('is given more as soon as some are done, to the end of the queue', async () => {
    const consumer = consumerOf('goes-on');
    const handled = new Set<string>();
    const waiting = await publish(200);
    open(consumer, { handle: async ({ sbom_id }) => void handled.add(sbom_id) });
    await eventually(() => waiting.every((one) => handled.has(one)), {
      ...{ within: 5_000, what: 'all are done' },
    });
    await eventually(async () => (await unsettled(consumer)) === 0, {
      ...{ within: 5_000, what: 'all are settled' },
    });
  });
});

test('a process that stops leaves what it only held to another one, at once', async () => {
  const consumer = consumerOf('stopped');
  const gate = untilLetGo();
  const done: string[] = [];
  let begun = 0;
  const first = open(consumer, {
    handle: async ({ sbom_id }) => {
      begun += 1;
      await gate;
      done.push(sbom_id);
    },
  });
  const all = await publish(8);
  await eventually(async () => begun === 4 && (await unsettled(consumer)) === all.length, {
    ...{ within: 5_000, what: 'it holds all, half of them at work' },
  });
  const stopped = first.stop();
  letGo();
  await stopped;
  expect(done).toHaveLength(4);
  open(consumer, { handle: async ({ sbom_id }) => void done.push(sbom_id) });
  await eventually(() => done.length === all.length, {
    ...{ within: 5_000, what: 'the other one has done the rest' },
  });
  expect(done.sort()).toEqual(all);
});

describe('a message that processes only held', () => {
  const letters = async (): Promise<number> =>
    (await bus.connection.manager.streams.info('DEAD')).state.messages;

  /** Publishes some that processes have taken so often, and died or stopped before they began with them. */
  async function heldSoOften(consumer: Definition, times: number, count = 1): Promise<void> {
    const other = await beside(consumer);
    await publish(count);
    for (let n = 1; n <= times; n++) {
      const held: JsMsg[] = [];
      for await (const one of await other.fetch({ max_messages: count, expires: 5_000 }))
        held.push(one);
      expect(held.map(({ info }) => info.deliveryCount)).toEqual(held.map(() => n));
      for (const one of held) one.nak();
    }
  }

  test('is tried also where it was delivered more often than it may be tried', async () => {
    const consumer = consumerOf('only-held');
    await heldSoOften(consumer, consumer.maxAttempts + 1);
    const before = await letters();
    let handled = 0;
    open(consumer, { handle: async () => void (handled += 1) });
    await eventually(() => handled === 1, { within: 5_000, what: 'it is tried' });
    await eventually(async () => (await unsettled(consumer)) === 0, {
      ...{ within: 5_000, what: 'it is settled' },
    });
    expect(await letters()).toBe(before);
  });

  test('is given up with a reason where it was taken up three times as often', async () => {
    const consumer = consumerOf('held-without-end');
    await heldSoOften(consumer, 3 * consumer.maxAttempts);
    const before = await letters();
    const told: string[] = [];
    let handled = 0;
    open(consumer, {
      handle: async () => void (handled += 1),
      giveUp: async (_scan, reason) => void told.push(reason),
    });
    await eventually(async () => (await letters()) === before + 1, {
      ...{ within: 5_000, what: 'it lies among the dead letters' },
    });
    expect(handled).toBe(0);
    expect(told).toEqual(['It was taken up 6 times and came to no end.']);
  });

  test('is left to the sweep, and not given up, by a process that stops with its last delivery', async () => {
    const consumer = { ...consumerOf('held-at-the-end'), concurrency: 1 };
    await heldSoOften(consumer, consumer.maxAttempts - 1, 2);
    const before = await letters();
    const gate = untilLetGo();
    let handled = 0;
    const given: string[] = [];
    const door = open(consumer, {
      handle: async () => {
        handled += 1;
        await gate;
      },
      giveUp: async ({ sbom_id }) => void given.push(sbom_id),
    });
    await eventually(async () => handled === 1 && (await unsettled(consumer)) === 2, {
      ...{ within: 5_000, what: 'one is at work, and the other waits for it' },
    });
    const stopped = door.stop();
    letGo();
    await stopped;
    await eventually(async () => (await unsettled(consumer)) === 0, {
      ...{ within: 5_000, what: 'both are settled' },
    });
    expect({ handled, given, letters: await letters() }).toEqual({
      ...{ handled: 1, given: [], letters: before },
    });
  });
});
