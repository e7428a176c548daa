import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';

/**
 * How often NATS is to say that a request still stands. Two that are missing, and the request has failed: the
 * server of a cluster that led the consumer may have gone, with no sign on this connection.
 */
const heartbeatMs = 5_000;
/**
 * Requests of one process that stand at a time: the next one is at the server while one is filled. The
 * server keeps 512 of a consumer, which all its processes share, and refuses any more with an error that
 * ends the pull; a consumer that is there cannot be given a higher bound.
 */
const mostRequests = 2;

/** A process that takes messages from a consumer, as far as it has room for them. */
export interface Taker {
  /** How many more it could take now, those included that were asked for and have not come. */
  room(): number;
  /** Fewer are not worth a request of their own: it costs as much as a message. At least 1. */
  readonly atLeast: number;
  take(message: JsMsg): void;
}

/** A pull under way. */
export interface Pull {
  /** Resolves once it was closed, rejects where it broke off; nothing is taken afterwards. */
  readonly ended: Promise<void>;
  /** To be called whenever there is more room than before. */
  moreRoom(): void;
  /** Asks for nothing any more; what has come already is still taken. */
  close(): void;
}

/**
 * Pulls until it is closed or a request fails: the consumer or its stream is gone, or the server gave no
 * sign of life for some ten seconds. What comes is taken at once: a message that lay in the client's buffer
 * would give no sign of life and be delivered again before anybody had looked at it. So never more is
 * asked for than there is room.
 */
export function startPull(consumer: Consumer, taker: Taker): Pull {
  const requests = new Set<ConsumerMessages>();
  /** What was asked for and has not come yet. */
  let due = 0;
  let closed = false;
  let failure: Error | null = null;
  let wake: () => void = () => {};

  async function request(count: number): Promise<void> {
    let left = count;
    due += count;
    try {
      const messages = await consumer.fetch({ max_messages: count, idle_heartbeat: heartbeatMs });
      requests.add(messages);
      if (closed) void messages.close();
      try {
        for await (const message of messages) {
          // A request that a lost connection interrupted is repeated as a whole.
          if (left > 0) {
            left -= 1;
            due -= 1;
          }
          taker.take(message);
        }
      } finally {
        requests.delete(messages);
      }
    } catch (error) {
      failure ??= error as Error;
    } finally {
      due -= left;
    }
  }

  function close(): void {
    closed = true;
    for (const one of requests) void one.close();
    wake();
  }

  async function run(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    while (!closed && !failure) {
      const count = taker.room() - due;
      if (count >= taker.atLeast && underWay.size < mostRequests) {
        const one: Promise<void> = request(count).finally(() => {
          underWay.delete(one);
          wake();
        });
        underWay.add(one);
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
    close();
    await Promise.all(underWay);
    if (failure) throw failure;
  }

  return { ended: run(), moreRoom: () => wake(), close };
}
