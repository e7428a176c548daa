import type { Clock } from '@bomtrail/concurrency';
import { createUploadsFirst } from './yield-to-uploads';

/** A clock on which time passes by work and rests alone. */
function ownTime() {
  let now = 0;
  const rests: number[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: async (ms) => {
      rests.push(ms);
      now += ms;
    },
  };
  return { clock, rests, pass: (ms: number) => (now += ms) };
}

const services = Array.from({ length: 64 }, (_, n) => n);

/** Work on services that takes so long for a group, whose sizes are noted. */
function workOn(time: ReturnType<typeof ownTime>, ms: number) {
  const groups: number[] = [];
  const work = async (some: readonly number[]): Promise<number[]> => {
    groups.push(some.length);
    time.pass(ms);
    return some.map((n) => n * 2);
  };
  return { groups, work };
}

const doubled = services.map((n) => n * 2);

test('without uploads, all services of a message are processed together, without a pause', async () => {
  const time = ownTime();
  const { groups, work } = workOn(time, 100);
  expect(await createUploadsFirst(time.clock).rescans(services, work)).toEqual(doubled);
  expect(groups).toEqual([64]);
  expect(time.rests).toEqual([]);
});

test('beside an upload they are processed in small groups, with a pause after each', async () => {
  const time = ownTime();
  const { groups, work } = workOn(time, 100);
  const first = createUploadsFirst(time.clock);
  const end = await first.upload(() => first.rescans(services, work));
  expect(end).toEqual(doubled);
  expect(groups).toEqual([16, 16, 16, 16]);
  expect(time.rests.slice(0, 3)).toEqual([300, 300, 300]);
});

test('beside an upload two messages alternate, one group at a time', async () => {
  const time = ownTime();
  const first = createUploadsFirst(time.clock);
  let inHand = 0;
  let most = 0;
  const work = async (some: readonly number[]): Promise<number[]> => {
    most = Math.max(most, ++inHand);
    await Promise.resolve();
    inHand -= 1;
    return [...some];
  };
  await first.upload(() =>
    Promise.all([first.rescans(services, work), first.rescans(services, work)]),
  );
  expect(most).toBe(1);
});

test('re-scans always make progress: pauses are bounded, and a failure does not delay the others', async () => {
  const time = ownTime();
  const { work } = workOn(time, 60_000);
  const first = createUploadsFirst(time.clock);
  await first.upload(async () => {
    await expect(
      first.rescans(services, () => Promise.reject(new Error('away'))),
    ).rejects.toThrow();
    expect(await first.rescans(services, work)).toEqual(doubled);
  });
  expect(Math.max(...time.rests)).toBe(1_000);
});

test('some time after the last upload they are processed together again', async () => {
  const time = ownTime();
  const { groups, work } = workOn(time, 1);
  const first = createUploadsFirst(time.clock);
  await first.upload(async () => {});
  time.pass(9_000);
  await first.rescans(services, work);
  time.pass(10_000);
  await first.rescans(services, work);
  expect(groups).toEqual([16, 16, 16, 16, 64]);
});
