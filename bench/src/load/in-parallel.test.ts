import { inParallel } from './in-parallel';

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('never more than the limit are under way, and the results come in order', async () => {
  let underWay = 0;
  let most = 0;
  const results = await inParallel([5, 1, 4, 2, 3, 9], 3, async (item) => {
    most = Math.max(most, ++underWay);
    for (let i = 0; i < item; i += 1) await turn();
    underWay -= 1;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30, 90]);
  expect(most).toBe(3);
});

test('after a failure nothing new is begun, and what was begun is waited for', async () => {
  const ended: number[] = [];
  const begun: number[] = [];
  const all = inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    await turn();
    if (item === 1) throw new Error('refused');
    await turn();
    ended.push(item);
  });
  await expect(all).rejects.toThrow('refused');
  expect(begun).toEqual([1, 2]);
  expect(ended).toEqual([2]);
});

test('no items, no work', async () => {
  expect(await inParallel([], 4, async () => 1)).toEqual([]);
});
