import { TimeoutError as NatsTimeoutError } from '@nats-io/transport-node';
import type { ObjectStore } from '@nats-io/obj';
import { withTimeout, TimeoutError } from '../work/with-timeout';

/** A piece comes in milliseconds; the library itself waits a minute for one that is lost, or for ever. */
const silenceMs = 10_000;

/**
 * Reads an object of a bucket whole; null when it is not there.
 *
 * @param withinMs how long each next piece may take: the server that sends them may have gone
 * @throws TimeoutError of the NATS library when one took longer
 */
export async function readObject(
  store: Pick<ObjectStore, 'get'>,
  name: string,
  withinMs = silenceMs,
): Promise<Uint8Array | null> {
  const found = await store.get(name);
  if (!found) return null;
  const pieces: Uint8Array[] = [];
  const reader = found.data.getReader();
  // What goes wrong is told by the pieces, too.
  found.error.catch(() => undefined);
  for (;;) {
    const next = await withTimeout(reader.read(), withinMs).catch(async (error: unknown) => {
      await reader.cancel().catch(() => undefined);
      throw error instanceof TimeoutError ? new NatsTimeoutError() : error;
    });
    if (next.done) return Buffer.concat(pieces);
    pieces.push(next.value);
  }
}
