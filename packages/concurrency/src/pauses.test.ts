import { createPauses } from './pauses';

/** A clock that moves only by the sleeps of what is tested, one after the other. */
function manualClock() {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms: number) => void (now += ms),
    advance: (ms: number) => void (now += ms),
  };
}

function setUp() {
  const clock = manualClock();
  const pauses = createPauses({ requestMs: 300, longestMs: 2_000, clock });
  const timeToPass = async (): Promise<number> => {
    const begin = clock.now();
    await pauses.pass();
    return clock.now() - begin;
  };
  return { clock, pauses, timeToPass };
}

test('without a request work begins at once', async () => {
  const { timeToPass } = setUp();
  expect(await timeToPass()).toBe(0);
});

test('a request holds work up until it has expired', async () => {
  const { clock, pauses, timeToPass } = setUp();
  pauses.request();
  clock.advance(100);
  expect(await timeToPass()).toBe(200);
});

test('however long requests go on, work is held up at most half of the time', async () => {
  const clock = manualClock();
  const pauses = createPauses({
    requestMs: 300,
    longestMs: 2_000,
    clock: {
      ...clock,
      sleep: async (ms) => {
        await clock.sleep(ms);
        pauses.request();
      },
    },
  });
  let held = 0;
  for (let step = 0; step < 1_000; step += 1) {
    pauses.request();
    const begin = clock.now();
    await pauses.pass();
    const waited = clock.now() - begin;
    expect(waited).toBeLessThanOrEqual(2_000);
    held += waited;
    clock.advance(10);
  }
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThanOrEqual(clock.now() / 2 + 2_000);
});
