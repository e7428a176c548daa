import {
  attachmentStream,
  deadLetterSubjectOf,
  streams,
  type ConsumerDefinition,
  type StoringStream,
} from '@bomtrail/messages';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { BusConnection } from '@bomtrail/messaging';
import { isMissing } from '@bomtrail/messaging';
import { watchValue, type Reading } from './watch-value';

/** Sampling interval of the event loop delay: at 10 ms it doubled the CPU time of an idle process. */
const eventLoopPrecisionMs = 100;

/** Creates the registry of a process, with the default metrics of Node.js. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: eventLoopPrecisionMs,
  });
  return registry;
}

/** All streams, including the attachment bucket. */
const storingStreams: readonly StoringStream[] = [
  ...streams.map(({ name }) => name),
  attachmentStream,
];

/** Registers metrics of dependencies, streams and consumer queues. */
export function registerServiceMetrics(
  registry: Registry,
  service: {
    bus: BusConnection;
    consumers: readonly ConsumerDefinition<unknown>[];
    checks: () => Promise<Record<string, 'up' | 'down'>>;
  },
): void {
  watchValue(
    registry,
    {
      name: 'bomtrail_dependency_up',
      help: '1 while this process reaches the dependency, else 0',
      labelNames: ['dependency'],
    },
    async () =>
      Object.entries(await service.checks()).map(([dependency, state]) => ({
        labels: { dependency },
        value: state === 'up' ? 1 : 0,
      })),
  );
  registerStreamMetrics(registry, service.bus);
  if (service.consumers.length === 0) return;
  watchValue(
    registry,
    {
      name: 'bomtrail_queue_messages',
      help: 'Messages of a queue: `waiting`, or `in_hand` of a process; the same in all processes',
      labelNames: ['consumer', 'state'],
    },
    async () => {
      const readings = service.consumers.map((consumer) => lengthOf(service.bus, consumer));
      return (await Promise.all(readings)).flat();
    },
  );
  watchValue(
    registry,
    {
      name: 'bomtrail_dead_letters_stored',
      help: 'Dead letters that were neither replayed nor dropped, whose work is not done; the same in all processes',
      labelNames: ['consumer'],
    },
    () => deadLettersOf(service.bus, service.consumers),
  );
}

async function deadLettersOf(
  bus: BusConnection,
  consumers: readonly ConsumerDefinition<unknown>[],
): Promise<Reading[]> {
  const ofAll = { subjects_filter: deadLetterSubjectOf('>') };
  const { state } = await bus.manager.streams.info('DEAD', ofAll);
  return consumers.map(({ durable }) => ({
    labels: { consumer: durable },
    value: state.subjects?.[deadLetterSubjectOf(durable)] ?? 0,
  }));
}

/** Registers metrics of stream failures and sizes. */
function registerStreamMetrics(registry: Registry, bus: BusConnection): void {
  watchValue(
    registry,
    {
      name: 'bomtrail_stream_failing_seconds',
      help: 'Seconds since a stream has stored no message of this process while NATS responds; 0: it stores',
      labelNames: ['stream'],
    },
    async () => {
      const failing = bus.health.failingSeconds();
      return storingStreams.map((stream) => ({
        labels: { stream },
        value: bus.health.isFailing(stream) ? (failing.get(stream) ?? 0) : 0,
      }));
    },
  );
  watchValue(
    registry,
    {
      name: 'bomtrail_stream_bytes',
      help: 'Bytes of a stream: `stored`, and the `limit` beyond which its oldest messages are dropped; the same in all processes',
      labelNames: ['stream', 'state'],
    },
    async () => (await Promise.all(storingStreams.map((name) => bytesOf(bus, name)))).flat(),
  );
}

async function bytesOf(bus: BusConnection, stream: StoringStream): Promise<Reading[]> {
  const reading = (state: string, value: number): Reading => ({ labels: { stream, state }, value });
  try {
    const { state, config } = await bus.manager.streams.info(stream);
    return [reading('stored', state.bytes), reading('limit', config.max_bytes)];
  } catch (error) {
    // The first use of the bucket creates it.
    if (isMissing(error)) return [];
    throw error;
  }
}

async function lengthOf(
  bus: BusConnection,
  { message, durable }: ConsumerDefinition<unknown>,
): Promise<Reading[]> {
  const reading = (state: string, value: number): Reading => ({
    labels: { consumer: durable, state },
    value,
  });
  try {
    const info = await bus.manager.consumers.info(message.stream, durable);
    return [reading('waiting', info.num_pending), reading('in_hand', info.num_ack_pending)];
  } catch (error) {
    // A missing stream has no messages; it is created again.
    if (isMissing(error)) return [reading('waiting', 0), reading('in_hand', 0)];
    throw error;
  }
}
