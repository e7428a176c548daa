import type { ConsumerDefinition } from '@bomtrail/messages';
import type { ConsumerMessages } from '@nats-io/jetstream';
import type { BusConnection } from './connect';
import { ensureConsumer } from './ensure-consumer';
import { handleMessage, type MessageHandler, type WorkingDoor } from './handle-message';
import { createFairSlots } from '../work/fair-slots';

/** One durable consumer of a service with the use case behind it. Made by `consumes`, listed in the service's `events/`. */
export interface EventDoor {
  readonly consumer: ConsumerDefinition<unknown>;
  readonly handler: MessageHandler<unknown>;
}

/** Binds a consumer to its use case. */
export function consumes<Payload>(
  consumer: ConsumerDefinition<Payload>,
  handler: MessageHandler<Payload>,
): EventDoor {
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
export function openEventDoor(bus: BusConnection, door: EventDoor): RunningConsumer {
  const { consumer } = door;
  const inHand = new Set<Promise<void>>();
  const most =
    consumer.concurrency * (consumer.turnOf ? inHandPerSlot.inTurns : inHandPerSlot.inOrder);
  // A count that is there before the first one is seen to rise.
  bus.deadLetters.inc({ consumer: consumer.durable }, 0);
  let stopping = false;
  let messages: ConsumerMessages | null = null;
  const working: WorkingDoor = {
    ...door,
    inSlot: createFairSlots(consumer.concurrency),
    isStopping: () => stopping,
  };

  async function takeMessages(): Promise<void> {
    await ensureConsumer(bus, consumer);
    const pull = await bus.jetstream.consumers.get(consumer.message.stream, consumer.durable);
    messages = await pull.consume({
      max_messages: consumer.concurrency,
      // Each request for more costs as much as a message: ask once half of what was asked for is here.
      threshold_messages: Math.floor(consumer.concurrency / 2),
      abort_on_missing_resource: true,
    });
    if (stopping) await messages.close();
    for await (const message of messages) {
      const work: Promise<void> = handleMessage(bus, working, message).finally(() =>
        inHand.delete(work),
      );
      inHand.add(work);
      if (inHand.size >= most) await Promise.race(inHand);
    }
  }

  const running = (async () => {
    while (!stopping) {
      try {
        await takeMessages();
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
      await messages?.close();
      await running;
      await Promise.allSettled(inHand);
    },
  };
}
