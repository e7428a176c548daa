import { setImmediate as endOfTick } from 'node:timers/promises';
import { createBatcher } from './batcher';

/** Doubles numbers, at most three at once; `batches` tells how they came, `release` ends the first batch. */
function doubler() {
  const batches: number[][] = [];
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const double = createBatcher<number, number>(async (items) => {
    batches.push(items);
    if (batches.length === 1) await gate;
    return items.map((item) => item * 2);
  }, 3);
  return { batches, double, release: () => release() };
}

test('a single call runs at once, and calls during it form the next batch', async () => {
  const { batches, double, release } = doubler();
  const first = double(1);
  await endOfTick();
  expect(batches).toEqual([[1]]);
  const others = [2, 3, 4, 5].map((item) => double(item));
  release();
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('calls of one tick of the event loop form a batch', async () => {
  const { batches, double, release } = doubler();
  release();
  expect(await Promise.all([1, 2, 3, 4].map((item) => double(item)))).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test('a failure rejects all calls of its batch and no others', async () => {
  const work = createBatcher<string, string>(async (items) => {
    if (items.includes('bad')) throw new Error('refused');
    return items;
  }, 2);
  const first = [work('alone'), work('together')];
  const [bad, with_it] = [work('bad'), work('with it')];
  await expect(Promise.all(first)).resolves.toEqual(['alone', 'together']);
  await expect(bad).rejects.toThrow('refused');
  await expect(with_it).rejects.toThrow('refused');
  await expect(work('later')).resolves.toBe('later');
});

test('the next batch can be chosen, and the other calls keep their order', async () => {
  const batches: number[][] = [];
  const double = createBatcher<{ of: number }, number>(
    async (items) => {
      batches.push(items.map(({ of }) => of));
      return items.map(({ of }) => of * 2);
    },
    3,
    (waiting) => {
      const even = waiting.filter(({ of }) => of % 2 === 0);
      return even.length > 0 ? even : waiting.slice(0, 2);
    },
  );
  const all = [1, 2, 3, 4, 5].map((of) => double({ of }));
  expect(await Promise.all(all)).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[2, 4], [1, 3], [5]]);
});
