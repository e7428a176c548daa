import {
  attachmentStream,
  streams,
  type ConsumerDefinition,
  type StoringStream,
} from '@bomtrail/messages';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { BusConnection } from '../bus/connect';
import { isMissing } from '../bus/streams';
import { watchValue, type Reading } from './watch-value';

/** The measurement of the event loop wakes the process each time: every 10 ms cost half of what rest costs. */
const eventLoopPrecisionMs = 100;

/** The metrics of one process: those of Node.js to begin with. */
export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: eventLoopPrecisionMs,
  });
  return registry;
}

/** Those that hold what is published, and the bucket of large bodies. */
const storingStreams: readonly StoringStream[] = [
  ...streams.map(({ name }) => name),
  attachmentStream,
];

/** Whether what this process needs is there, and how much waits in the queues that it takes messages from. */
export function watchService(
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
      help: '1 while this process reaches what it needs, else 0',
      labelNames: ['dependency'],
    },
    async () =>
      Object.entries(await service.checks()).map(([dependency, state]) => ({
        labels: { dependency },
        value: state === 'up' ? 1 : 0,
      })),
  );
  watchStreamStorage(registry, service.bus);
  if (service.consumers.length === 0) return;
  watchValue(
    registry,
    {
      name: 'bomtrail_queue_messages',
      help: 'Messages of a queue, seen by all processes alike: `waiting` for a process, `in_hand` of one',
      labelNames: ['consumer', 'state'],
    },
    async () => {
      const readings = service.consumers.map((consumer) => lengthOf(service.bus, consumer));
      return (await Promise.all(readings)).flat();
    },
  );
}

/** Whether streams store what this process publishes, and how much of their bounds they have used. */
function watchStreamStorage(registry: Registry, bus: BusConnection): void {
  watchValue(
    registry,
    {
      name: 'bomtrail_stream_failing_seconds',
      help: 'For how long a stream has stored nothing of what this process publishes, while NATS answers; 0: it stores',
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
      help: 'Bytes of a stream, seen by all processes alike: `stored`, and the `limit` beyond which its oldest messages are dropped',
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
    // The bucket is made by its first use.
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
    // Where the stream is gone nothing waits; it is made again.
    if (isMissing(error)) return [reading('waiting', 0), reading('in_hand', 0)];
    throw error;
  }
}
