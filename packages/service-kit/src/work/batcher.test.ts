import { createBatcher } from './batcher';

test('a lone call goes at once, and what comes while it is at work goes together', async () => {
  const batches: number[][] = [];
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const double = createBatcher<number, number>(async (items) => {
    batches.push(items);
    if (batches.length === 1) await gate;
    return items.map((item) => item * 2);
  }, 3);

  const results = [1, 2, 3, 4, 5].map((item) => double(item));
  release();
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('a failure is everyone’s of its batch and nobody else’s', async () => {
  const work = createBatcher<string, string>(async (items) => {
    if (items.includes('bad')) throw new Error('refused');
    return items;
  }, 10);
  const first = work('alone');
  const [bad, with_it] = [work('bad'), work('with it')];
  await expect(first).resolves.toBe('alone');
  await expect(bad).rejects.toThrow('refused');
  await expect(with_it).rejects.toThrow('refused');
  await expect(work('later')).resolves.toBe('later');
});
