import fc from 'fast-check';
import { createRequestQueue } from './request-queue';

/** Work that ends when it is told to. */
function held() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, work: () => ended };
}

const none = (): void => undefined;

/** Waits for the end of what was taken, whatever it is. */
function ended(taken: readonly (Promise<void> | null)[]): Promise<unknown> {
  return Promise.allSettled(taken.map(async (one) => one));
}

test('requests beyond the slots wait in order of arrival', async () => {
  const queue = createRequestQueue({ running: 1, queued: 2, queuedBytes: 100 }, none);
  const first = held();
  const order: number[] = [];
  const all = [
    queue.enqueue(1, first.work),
    queue.enqueue(1, async () => void order.push(2)),
    queue.enqueue(1, async () => void order.push(3)),
  ];
  first.end();
  await ended(all);
  expect(order).toEqual([2, 3]);
});

test.each([
  { what: 'too many wait', limits: { running: 1, queued: 1, queuedBytes: 100 } },
  { what: 'what waits is too large', limits: { running: 1, queued: 9, queuedBytes: 10 } },
])(
  'a request is turned away at once while $what, and taken again afterwards',
  async ({ limits }) => {
    const queue = createRequestQueue(limits, none);
    const first = held();
    const taken = [queue.enqueue(10, first.work), queue.enqueue(10, async () => undefined)];
    expect(queue.enqueue(10, () => Promise.reject(new Error('it was run')))).toBeNull();
    first.end();
    await ended(taken);
    await expect(queue.enqueue(10, async () => undefined)).resolves.toBeUndefined();
  },
);

test('a request larger than the queue is accepted if it need not wait', async () => {
  const queue = createRequestQueue({ running: 1, queued: 1, queuedBytes: 10 }, none);
  await expect(queue.enqueue(50, async () => undefined)).resolves.toBeUndefined();
});

test('running and waiting requests never exceed the limits, even with failures, and the counts return to 0', async () => {
  const requests = fc.array(fc.record({ bytes: fc.nat(20), fails: fc.boolean() }), {
    maxLength: 60,
  });
  const limits = fc.record({
    running: fc.integer({ min: 1, max: 5 }),
    queued: fc.nat(10),
    queuedBytes: fc.nat(100),
  });
  await fc.assert(
    fc.asyncProperty(requests, limits, async (sent, bounds) => {
      let last = { running: 0, queued: 0 };
      let atOnce = 0;
      const queue = createRequestQueue(bounds, (counts) => (last = counts));
      const work = async (fails: boolean): Promise<void> => {
        atOnce += 1;
        expect(atOnce).toBeLessThanOrEqual(bounds.running);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        if (fails) throw new Error('failed');
      };
      const taken = sent.map(({ bytes, fails }) => queue.enqueue(bytes, () => work(fails)));
      expect(last.running).toBeLessThanOrEqual(bounds.running);
      expect(last.queued).toBeLessThanOrEqual(bounds.queued);
      await ended(taken);
      expect(last).toEqual({ running: 0, queued: 0 });
    }),
  );
});
