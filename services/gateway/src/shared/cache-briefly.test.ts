import { cacheBriefly } from './cache-briefly';

test('asks once in a while and once at a time, and does not remember an error', async () => {
  let at = 0;
  let requested = 0;
  let fails = false;
  const ask = cacheBriefly(
    async () => {
      requested += 1;
      if (fails) throw new Error('down');
      return requested;
    },
    { maxAgeMs: 2_000, now: () => at },
  );
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  at = 1_999;
  expect(await ask()).toBe(1);
  at = 2_000;
  fails = true;
  await expect(ask()).rejects.toThrow('down');
  fails = false;
  expect(await ask()).toBe(3);
});
