import type { ConsumerDefinition } from '@bomtrail/messages';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import { ensureConsumer } from './ensure-consumer';
import { handleMessage, type MessageHandler, type WorkingTransport } from './handle-message';
import { startPull, type Pull } from './pull-messages';
import { createFairSlots } from '@bomtrail/concurrency';
import { createSeldomWarning } from '@bomtrail/telemetry';

/** A durable consumer of a service and its message handler. Made by `consumes` in the service's `events/`. */
export interface EventTransport {
  readonly consumer: ConsumerDefinition<unknown>;
  readonly handler: MessageHandler<unknown>;
}

/** Binds a consumer to its message handler. */
export function consumes<Payload>(
  consumer: ConsumerDefinition<Payload>,
  handler: MessageHandler<Payload>,
): EventTransport {
  return {
    consumer: consumer as unknown as ConsumerDefinition<unknown>,
    handler: handler as unknown as MessageHandler<unknown>,
  };
}

/** A running consumer; `stop` takes no further messages and waits for those in progress. */
export interface RunningConsumer {
  stop(): Promise<void>;
}

const pauseAfterFailureMs = 500;
/**
 * Messages that a process takes per slot, including those being handled. A consumer with fairness keys chooses
 * among these only. More would be out of reach of other processes, and redelivered late after a crash.
 */
const maxTakenPerSlot = { inArrivalOrder: 2, byFairnessKey: 8 } as const;

/** Opens a durable pull consumer and reopens it after the loss of its connection, stream or consumer. */
export function openEventTransport(bus: BusConnection, transport: EventTransport): RunningConsumer {
  const { consumer } = transport;
  const taken = new Set<Promise<void>>();
  const maxTaken =
    consumer.concurrency *
    (consumer.fairnessKeyOf ? maxTakenPerSlot.byFairnessKey : maxTakenPerSlot.inArrivalOrder);
  // Export 0 before the first dead letter, so that an increase is visible.
  bus.metrics.deadLetters.inc({ consumer: consumer.durable }, 0);
  let stopping = false;
  let pull: Pull | null = null;
  const warn = createSeldomWarning(bus.log);
  const working: WorkingTransport = {
    ...transport,
    inSlot: createFairSlots(consumer.concurrency),
    isStopping: () => stopping,
  };

  function take(message: JsMsg): void {
    const work: Promise<void> = handleMessage(bus, working, message).finally(() => {
      taken.delete(work);
      pull?.moreRoom();
    });
    taken.add(work);
  }

  async function takeMessages(): Promise<void> {
    // Pull requests are lost with the connection, and the server may restart without its data.
    const lost = bus.untilLost();
    await ensureConsumer(bus, consumer);
    const { stream } = consumer.message;
    const from = await bus.jetstream.consumers.get(stream, consumer.durable);
    pull = startPull(from, {
      room: () => maxTaken - taken.size,
      // Half of the slots: the remaining messages keep all slots busy meanwhile.
      atLeast: Math.max(1, Math.floor(consumer.concurrency / 2)),
      take,
    });
    if (stopping || lost.aborted) pull.close();
    lost.addEventListener('abort', pull.close, { once: true });
    try {
      await pull.ended;
    } finally {
      lost.removeEventListener('abort', pull.close);
    }
  }

  const running = (async () => {
    while (!stopping) {
      try {
        if (bus.isUp()) await takeMessages();
      } catch (error) {
        warn(
          { consumer: consumer.durable, reason: (error as Error).message },
          'A consumer stopped; reopening it.',
        );
      }
      if (!stopping) await new Promise((resolve) => setTimeout(resolve, pauseAfterFailureMs));
    }
  })();

  return {
    async stop() {
      stopping = true;
      pull?.close();
      await running;
      await Promise.allSettled(taken);
    },
  };
}
