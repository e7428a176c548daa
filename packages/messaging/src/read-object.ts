import { TimeoutError as NatsTimeoutError } from '@nats-io/transport-node';
import type { ObjectStore } from '@nats-io/obj';
import { withTimeout, TimeoutError } from '@bomtrail/concurrency';

/** Chunks arrive within milliseconds; the library waits a minute or forever for a lost one. */
const silenceMs = 10_000;

/**
 * Reads an object of a bucket into memory; null if it does not exist.
 *
 * @param withinMs timeout for each chunk
 * @throws TimeoutError of the NATS library
 */
export async function readObject(
  store: Pick<ObjectStore, 'get'>,
  name: string,
  withinMs = silenceMs,
): Promise<Uint8Array | null> {
  const found = await store.get(name);
  if (!found) return null;
  const chunks: Uint8Array[] = [];
  const reader = found.data.getReader();
  // The reader reports the same error.
  found.error.catch(() => undefined);
  for (;;) {
    const next = await withTimeout(reader.read(), withinMs).catch(async (error: unknown) => {
      await reader.cancel().catch(() => undefined);
      throw error instanceof TimeoutError ? new NatsTimeoutError() : error;
    });
    if (next.done) return Buffer.concat(chunks);
    chunks.push(next.value);
  }
}
