import type { ObjectResult, ObjectStore } from '@nats-io/obj';
import { TimeoutError } from '@nats-io/transport-node';
import { readObject } from './read-object';

/** A bucket whose one object comes in these pieces, and then ends, or does not. */
function bucketOf(pieces: readonly string[], ends: boolean) {
  const state = { isCancelled: false };
  const data = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece));
      if (ends) controller.close();
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  const error = Promise.resolve(null);
  const store: Pick<ObjectStore, 'get'> = {
    get: async (name) => (name === 'there' ? ({ data, error } as unknown as ObjectResult) : null),
  };
  return { store, state };
}

test('an object is read whole', async () => {
  const { store } = bucketOf(['one ', 'two'], true);
  expect(Buffer.from((await readObject(store, 'there')) ?? []).toString()).toBe('one two');
  expect(await readObject(store, 'gone')).toBeNull();
});

test('a read times out if the server is gone in the middle, and leaves nothing open', async () => {
  const { store, state } = bucketOf(['one '], false);
  await expect(readObject(store, 'there', 20)).rejects.toBeInstanceOf(TimeoutError);
  expect(state.isCancelled).toBe(true);
});
