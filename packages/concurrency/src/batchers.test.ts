import { createBatchers } from './batchers';

test('calls under a key during its work form the next batch, and keys do not wait for each other', async () => {
  const batched = createBatchers<number, string>(10);
  const groups: string[] = [];
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const hand = (key: string, item: number, until?: Promise<void>): Promise<string> =>
    batched(key, item, async (items) => {
      groups.push(`${key} ${items.join()}`);
      if (items.includes(1)) await until;
      return items.map((one) => `${key}${one}`);
    });

  const first = hand('a', 1, gate);
  await hand('b', 1);
  const others = [2, 3].map((item) => hand('a', item));
  release();
  expect(await Promise.all([first, ...others])).toEqual(['a1', 'a2', 'a3']);
  expect(await hand('a', 4)).toBe('a4');
  expect(groups).toEqual(['a 1', 'b 1', 'a 2,3', 'a 4']);
});
