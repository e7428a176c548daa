import type { ConsumerDefinition } from '@bomtrail/messages';
import type { JsMsg } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import { ensureConsumer } from './ensure-consumer';
import { handleMessage, type MessageHandler, type WorkingTransport } from './handle-message';
import { startPull, type Pull } from './pull-messages';
import { createFairSlots } from '../work/fair-slots';

/** One durable consumer of a service with the use case behind it. Made by `consumes`, listed in the service's `events/`. */
export interface EventTransport {
  readonly consumer: ConsumerDefinition<unknown>;
  readonly handler: MessageHandler<unknown>;
}

/** Binds a consumer to its use case. */
export function consumes<Payload>(
  consumer: ConsumerDefinition<Payload>,
  handler: MessageHandler<Payload>,
): EventTransport {
  return {
    consumer: consumer as unknown as ConsumerDefinition<unknown>,
    handler: handler as unknown as MessageHandler<unknown>,
  };
}

/** A running consumer; `stop` takes no further message and waits for those in hand. */
export interface RunningConsumer {
  stop(): Promise<void>;
}

const pauseAfterFailureMs = 500;
/**
 * Messages that a process holds for each slot, those at work among them. Where keys have turns it sees no
 * further than this; what it holds, no other process takes, and it is delivered again late when it is killed.
 */
const inHandPerSlot = { inOrder: 2, inTurns: 8 } as const;

/** Opens a durable pull consumer and keeps it open: a lost connection, stream or consumer is made good. */
export function openEventTransport(bus: BusConnection, transport: EventTransport): RunningConsumer {
  const { consumer } = transport;
  const inHand = new Set<Promise<void>>();
  const most =
    consumer.concurrency * (consumer.fairnessKeyOf ? inHandPerSlot.inTurns : inHandPerSlot.inOrder);
  // A count that is there before the first one is seen to rise.
  bus.metrics.deadLetters.inc({ consumer: consumer.durable }, 0);
  let stopping = false;
  let pull: Pull | null = null;
  const working: WorkingTransport = {
    ...transport,
    inSlot: createFairSlots(consumer.concurrency),
    isStopping: () => stopping,
  };

  function take(message: JsMsg): void {
    const work: Promise<void> = handleMessage(bus, working, message).finally(() => {
      inHand.delete(work);
      pull?.moreRoom();
    });
    inHand.add(work);
  }

  async function takeMessages(): Promise<void> {
    // Requests are lost with the connection, and the server may come back with another state of things.
    const lost = bus.untilLost();
    await ensureConsumer(bus, consumer);
    const { stream } = consumer.message;
    const from = await bus.jetstream.consumers.get(stream, consumer.durable);
    pull = startPull(from, {
      room: () => most - inHand.size,
      // Half of the slots at a time, while the rest of what is in hand keeps them all busy.
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
        bus.log.warn(
          { consumer: consumer.durable, reason: (error as Error).message },
          'A consumer stopped; opening it again.',
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
      await Promise.allSettled(inHand);
    },
  };
}
