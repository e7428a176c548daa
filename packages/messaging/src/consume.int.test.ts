import { scanCompleted, type ConsumerDefinition, type SbomReference } from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import type { Consumer, JsMsg } from '@nats-io/jetstream';
import { consumes, openEventTransport, type RunningConsumer } from './consume';
import { ensureConsumer } from './ensure-consumer';
import type { MessageHandler } from './handle-message';
import { aReference, consumerOf } from './testing/references';

/** How long anything may take, on a machine that is busy with something else. */
const patience = 20_000;
/** Shorter than a message is held unseen by a process that gave no sign of life (20 s). */
const soonerThanAgainMs = 15_000;

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
  const one = openEventTransport(bus.connection, consumes(consumer, handler));
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

describe('a process with all slots in use', () => {
  test.each<[string, Partial<Definition>, number]>([
    ['in the order of arrival', {}, 8],
    ['in turns', { fairnessKeyOf: ({ project_id }) => project_id }, 32],
  ])(
    'leaves the rest to others, who are the first to be given it: %s',
    async (_how, own, most) => {
      const consumer = { ...consumerOf(`full-${most}`), ...own };
      const other = await beside(consumer);
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
        what: 'it holds as many as it may',
      });
      const later = await publish(3);
      const given: JsMsg[] = [];
      const asked = { max_messages: later.length, expires: soonerThanAgainMs };
      for await (const message of await other.fetch(asked)) {
        given.push(message);
        message.ack();
      }
      expect(given.map(({ info }) => info.deliveryCount)).toEqual(later.map(() => 1));
      letGo();
      await eventually(() => handled.length === most, {
        what: 'it has done what it held',
      });
      expect(handled.sort()).toEqual(held);
      const [next = ''] = await publish(1);
      await eventually(() => handled.includes(next), {
        what: 'it takes more',
      });
    },
    4 * patience,
  );

  test('gets more messages as soon as some are done, to the end of the queue', async () => {
    const consumer = consumerOf('goes-on');
    const handled = new Set<string>();
    const waiting = await publish(200);
    open(consumer, { handle: async ({ sbom_id }) => void handled.add(sbom_id) });
    await eventually(() => waiting.every((one) => handled.has(one)), {
      what: 'all are done',
    });
    await eventually(async () => (await unsettled(consumer)) === 0, {
      what: 'all are settled',
    });
  });
});

test('messages that arrive one by one are pulled with few requests', async () => {
  const consumer = {
    ...consumerOf('few-requests'),
    fairnessKeyOf: ({ project_id }: SbomReference) => project_id,
  };
  const handled = new Set<string>();
  open(consumer, { handle: async ({ sbom_id }) => void handled.add(sbom_id) });
  const { manager } = bus.connection;
  for (let round = 0; round < 8; round++) {
    const some = await publish(consumer.concurrency);
    await eventually(() => some.every((one) => handled.has(one)), {
      what: 'they are done',
    });
    await eventually(async () => (await unsettled(consumer)) === 0, {
      what: 'they are settled',
    });
  }
  expect((await manager.consumers.info('EVENTS', consumer.durable)).num_waiting).toBeLessThan(3);
});

test('a stopping process returns unhandled messages to the queue at once', async () => {
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
    what: 'it holds all, half of them at work',
  });
  const stopped = first.stop();
  letGo();
  await stopped;
  expect(done).toHaveLength(4);
  open(consumer, { handle: async ({ sbom_id }) => void done.push(sbom_id) });
  await eventually(() => done.length === all.length, {
    what: 'the other one has done the rest',
  });
  expect(done.sort()).toEqual(all);
});

describe('a message that was delivered but not handled', () => {
  const letters = async (): Promise<number> =>
    (await bus.connection.manager.streams.info('DEAD')).state.messages;

  /** Publishes some that processes have taken so often, and died or stopped before they began with them. */
  async function heldSoOften(consumer: Definition, times: number, count = 1): Promise<void> {
    const other = await beside(consumer);
    await publish(count);
    for (let n = 1; n <= times; n++) {
      const held: JsMsg[] = [];
      for await (const one of await other.fetch({ max_messages: count, expires: patience }))
        held.push(one);
      expect(held.map(({ info }) => info.deliveryCount)).toEqual(held.map(() => n));
      for (const one of held) one.nak();
    }
  }

  test('is handled even after more deliveries than attempts', async () => {
    const consumer = consumerOf('only-held');
    await heldSoOften(consumer, consumer.maxAttempts + 1);
    const before = await letters();
    let handled = 0;
    open(consumer, { handle: async () => void (handled += 1) });
    await eventually(() => handled === 1, { what: 'it is tried' });
    await eventually(async () => (await unsettled(consumer)) === 0, {
      what: 'it is settled',
    });
    expect(await letters()).toBe(before);
  });

  test('is dead-lettered after three times as many deliveries', async () => {
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
      what: 'it lies among the dead letters',
    });
    expect(handled).toBe(0);
    expect(told).toEqual(['Delivered 6 times without a result.']);
  });

  test('is left to the sweep if its process stops during the last delivery', async () => {
    const consumer = { ...consumerOf('held-at-the-end'), concurrency: 1 };
    await heldSoOften(consumer, consumer.maxAttempts - 1, 2);
    const before = await letters();
    const gate = untilLetGo();
    let handled = 0;
    const given: string[] = [];
    const transport = open(consumer, {
      handle: async () => {
        handled += 1;
        await gate;
      },
      giveUp: async ({ sbom_id }) => void given.push(sbom_id),
    });
    await eventually(async () => handled === 1 && (await unsettled(consumer)) === 2, {
      what: 'one is at work, and the other waits for it',
    });
    const stopped = transport.stop();
    letGo();
    await stopped;
    await eventually(async () => (await unsettled(consumer)) === 0, {
      what: 'both are settled',
    });
    expect({ handled, given, letters: await letters() }).toEqual({
      handled: 1,
      given: [],
      letters: before,
    });
  });
});
