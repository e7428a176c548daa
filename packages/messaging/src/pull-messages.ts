import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';

/**
 * Interval of the heartbeats of a pull request. It fails after two missed ones: the leader of the consumer may be
 * gone while this connection is up.
 */
const heartbeatMs = 5_000;
/**
 * Concurrent pull requests of a process: one is filled while the next waits at the server. The server allows 512
 * per consumer over all processes and fails any more; the limit of an existing consumer cannot be raised.
 */
const maxRequests = 2;

/** Takes messages from a consumer as long as it has room. */
export interface Taker {
  /** Messages that it can take now, including those requested but not received. */
  room(): number;
  /** Smallest batch to request, at least 1: a request costs as much as a message. */
  readonly atLeast: number;
  take(message: JsMsg): void;
}

/** A running pull. */
export interface Pull {
  /** Resolves when closed, rejects on failure; no message is taken afterwards. */
  readonly ended: Promise<void>;
  /** Call when room has grown. */
  moreRoom(): void;
  /** Sends no further requests; received messages are still taken. */
  close(): void;
}

/**
 * Pulls until closed or until a request fails: the consumer or its stream is gone, or heartbeats are missing for
 * ten seconds. Never requests more than there is room for: a message in the client's buffer sends no heartbeats
 * and would be delivered again.
 */
export function startPull(consumer: Consumer, taker: Taker): Pull {
  const requests = new Set<ConsumerMessages>();
  /** Requested but not received. */
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
          // After a lost connection the whole request is repeated.
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
    const running = new Set<Promise<void>>();
    while (!closed && !failure) {
      const count = taker.room() - due;
      if (count >= taker.atLeast && running.size < maxRequests) {
        const one: Promise<void> = request(count).finally(() => {
          running.delete(one);
          wake();
        });
        running.add(one);
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
    close();
    await Promise.all(running);
    if (failure) throw failure;
  }

  return { ended: run(), moreRoom: () => wake(), close };
}
