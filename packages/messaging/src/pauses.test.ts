import { watchPauses } from './pauses';

test('messages of the time of a pause may be as old as it, until all of them are received', async () => {
  let time = 0;
  const open: (() => void)[] = [];
  const pauses = watchPauses(
    () => new Promise((resolve) => open.push(resolve)),
    () => time,
  );
  time += 600;
  expect(pauses.waitedMs()).toBe(0);
  time += 30_000;
  expect(pauses.waitedMs()).toBe(30_000);
  time += 100;
  expect(pauses.waitedMs()).toBe(30_000);
  time += 5_000;
  expect(pauses.waitedMs()).toBe(30_000);
  open[0]?.();
  await Promise.resolve();
  expect(pauses.waitedMs()).toBe(30_000);
  open[1]?.();
  await Promise.resolve();
  expect(pauses.waitedMs()).toBe(0);
  pauses.end();
});
