import { createAdmissionQueue } from './admission-queue';
import { announceWaiting } from './announce-waiting';

const stay = new AbortController().signal;

function setUp() {
  let announced = 0;
  const queue = announceWaiting(
    createAdmissionQueue({ atOnce: 4, waiting: 10 }),
    () => (announced += 1),
  );
  let senders = 0;
  /** Each upload is of a sender of its own, so that none is held back by its share. */
  const enter = (gone = stay) => queue.enter(gone, `ci-${(senders += 1)}`);
  return { enter, announced: () => announced };
}

test('a few uploads at a time are not announced', async () => {
  const { enter, announced } = setUp();
  for (let round = 0; round < 10; round += 1) {
    const slots = await Promise.all([1, 2, 3].map(() => enter()));
    for (const slot of slots) slot.leave();
  }
  expect(announced()).toBe(0);
});

test('many are, whether they wait or have a slot, but not each of them', async () => {
  const { enter, announced } = setUp();
  const entering = Array.from({ length: 8 }, () => enter());
  expect(announced()).toBe(1);
  for (const slot of entering) (await slot).leave();
  expect(announced()).toBe(1);
});

test('an upload that was turned away or left twice does not count', async () => {
  const { enter, announced } = setUp();
  const slots = await Promise.all([1, 2, 3, 4].map(() => enter()));
  const gone = AbortSignal.abort();
  for (let n = 0; n < 10; n += 1) await expect(enter(gone)).rejects.toBeDefined();
  expect(announced()).toBe(0);
  for (const slot of [...slots, ...slots]) slot.leave();
  const again = await Promise.all([1, 2, 3, 4].map(() => enter()));
  const waiting = [1, 2, 3].map(() => enter());
  expect(announced()).toBe(0);
  const eighth = enter();
  expect(announced()).toBe(1);
  for (const slot of again) slot.leave();
  await Promise.all([...waiting, eighth]);
});
