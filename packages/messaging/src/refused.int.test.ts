import { Writable } from 'node:stream';
import { deadLetterSubjectOf, scanCompleted, type MessageDefinition } from '@bomtrail/messages';
import {
  connectTestBus,
  eventually,
  startTestServers,
  type TestBus,
  type TestServers,
} from '@bomtrail/testkit';
import { JetStreamApiError } from '@nats-io/jetstream';
import { pino } from 'pino';
import type { BusConnection } from './connect';
import { consumes, openEventTransport, type RunningConsumer } from './consume';
import { createPublish, createPublishResult } from './publish';
import { aReference, consumerOf } from './testing/references';

/** Of the largest message that this server takes. */
const maxPayload = 64 * 1024;
const maxStored = 1024;

let servers: TestServers;
let bus: TestBus;
let connection: BusConnection;
let running: RunningConsumer | undefined;
let count = 0;
const logged: { level: number; msg: string }[] = [];

beforeAll(async () => {
  servers = await startTestServers({ maxPayload });
  bus = await connectTestBus(servers.natsUrl);
  const sink = new Writable({
    write(line, _encoding, done) {
      logged.push(JSON.parse(String(line)) as (typeof logged)[number]);
      done();
    },
  });
  connection = { ...bus.connection, log: pino({}, sink) };
  const { config } = await connection.manager.streams.info('EVENTS');
  await connection.manager.streams.update('EVENTS', { ...config, max_msg_size: maxStored });
});
beforeEach(() => void (logged.length = 0));
afterEach(async () => {
  await running?.stop();
  await connection.manager.streams.purge('EVENTS');
});
afterAll(async () => {
  await bus?.close();
  await servers?.stop();
});

interface Result {
  text: string;
}

/** What a piece of work comes to. */
const result: MessageDefinition<Result> = {
  ...(scanCompleted as unknown as MessageDefinition<Result>),
  subjectOf: () => 'scan.completed.v1.result',
  keyOf: () => `result:${(count += 1)}`,
};

const largerThanTheServer = { text: 'x'.repeat(2 * maxPayload) };
const largerThanTheStream = { text: 'x'.repeat(2 * maxStored) };
const elsewhere = { ...result, subjectOf: () => 'elsewhere.v1' };

async function isGivenUp(): Promise<void> {
  await eventually(() => logged.some(({ msg }) => msg.startsWith('A message was dead-lettered')), {
    what: 'the message is dead-lettered',
  });
}

interface Refused {
  why: string;
  definition?: MessageDefinition<Result>;
  payload: Result;
  reason: RegExp;
}

test.each<Refused>([
  { why: 'is larger than the server takes', payload: largerThanTheServer, reason: /max_payload/ },
  { why: 'is larger than the stream takes', payload: largerThanTheStream, reason: /exceeds max/ },
  {
    why: 'has a subject that its stream does not take',
    definition: elsewhere,
    payload: { text: 'x' },
    reason: /does not accept/,
  },
])(
  'a message whose result $why is dead-lettered with the reason, which is reported',
  async ({ definition = result, payload, reason }) => {
    const publishResult = createPublishResult(connection, bus.publish);
    const told: string[] = [];
    const consumer = consumerOf(`refused-${(count += 1)}`);
    running = openEventTransport(
      connection,
      consumes(consumer, {
        handle: () => publishResult(definition, payload),
        giveUp: async ({ sbom_id }) => void told.push(sbom_id),
      }),
    );
    const work = aReference((count += 1));
    await bus.publish(scanCompleted, work);
    await isGivenUp();
    expect(told).toEqual([work.sbom_id]);
    const letter = await connection.manager.streams.getMessage('DEAD', {
      last_by_subj: deadLetterSubjectOf(consumer.durable),
    });
    expect(letter?.header.get('Bomtrail-Reason')).toMatch(reason);
  },
);

test('a message is dead-lettered even if that cannot be reported', async () => {
  running = openEventTransport(
    connection,
    consumes(consumerOf('untold'), {
      handle: async () => Promise.reject(new Error('broken')),
      giveUp: () => bus.publish(result, largerThanTheStream),
    }),
  );
  await bus.publish(scanCompleted, aReference((count += 1)));
  await isGivenUp();
  expect(logged.map(({ msg }) => msg)).toContain('Failed to report a dead-lettered message.');
});

test('publish logs a permanent rejection as an error and does not throw', async () => {
  await createPublish(connection, bus.publish)(result, largerThanTheStream);
  expect(logged).toEqual([
    expect.objectContaining({
      level: pino.levels.values['error'],
      reason: expect.stringMatching(/exceeds maximum/),
    }),
  ]);
});

test('publishResult does not throw a transient error, and logs each reason once', async () => {
  const noRoom = new JetStreamApiError({ code: 503, err_code: 10077, description: 'no room' });
  const publishResult = createPublishResult(connection, async () => Promise.reject(noRoom));
  await publishResult(result, { text: 'x' });
  await publishResult(result, { text: 'y' });
  expect(logged).toEqual([expect.objectContaining({ level: pino.levels.values['warn'] })]);
});
