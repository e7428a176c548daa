import { createAdmissionQueue, releasingSmall, throughBoth } from './admission-queue';

const stay = new AbortController().signal;

/** Lets everything happen that is ready to happen. */
const finish = () => new Promise((resolve) => setImmediate(resolve));

test('so many are let in at once, the rest in the order they came', async () => {
  const admission = createAdmissionQueue({ atOnce: 2, waiting: 10 });
  const inside: string[] = [];
  const enter = async (name: string) => {
    const slot = await admission.enter(stay, 'ci');
    inside.push(name);
    return slot;
  };
  const exits = ['a', 'b', 'c', 'd'].map(enter);
  await finish();
  expect(inside).toEqual(['a', 'b']);
  (await exits[1]!).leave();
  await finish();
  expect(inside).toEqual(['a', 'b', 'c']);
  (await exits[0]!).leave();
  await finish();
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
});

test('leaving twice makes room for one', async () => {
  const admission = createAdmissionQueue({ atOnce: 1, waiting: 10 });
  const slot = await admission.enter(stay, 'ci');
  let entered = 0;
  void admission.enter(stay, 'ci').then(() => (entered += 1));
  void admission.enter(stay, 'ci').then(() => (entered += 1));
  slot.leave();
  slot.leave();
  await finish();
  expect(entered).toBe(1);
});

test('when too many wait one more is sent away', async () => {
  const admission = createAdmissionQueue({ atOnce: 1, waiting: 1 });
  const slot = await admission.enter(stay, 'ci');
  const waiting = admission.enter(stay, 'ci');
  await expect(admission.enter(stay, 'ci')).rejects.toMatchObject({ code: 'service_unavailable' });
  slot.leave();
  (await waiting).leave();
  await expect(admission.enter(stay, 'ci')).resolves.toBeDefined();
});

test('who goes away while waiting leaves the queue to the others', async () => {
  const admission = createAdmissionQueue({ atOnce: 1, waiting: 2 });
  const slot = await admission.enter(stay, 'ci');
  const going = new AbortController();
  const gone = admission.enter(going.signal, 'ci');
  const next = admission.enter(stay, 'ci');
  going.abort();
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
  slot.leave();
  await expect(next).resolves.toBeDefined();
});

test('who takes over a place leaves no room for another', async () => {
  const admission = createAdmissionQueue({ atOnce: 1, waiting: 2 });
  const slot = await admission.enter(stay, 'ci');
  const next = admission.enter(stay, 'ci');
  slot.leave();
  const taken = await next;
  let entered = false;
  const last = admission.enter(stay, 'ci').then((slot) => {
    entered = true;
    return slot;
  });
  await finish();
  expect(entered).toBe(false);
  taken.leave();
  (await last).leave();
});

describe('One gate behind another', () => {
  test('bounds those who come through both, and not those who come through the second alone', async () => {
    const second = createAdmissionQueue({ atOnce: 2, waiting: 9 });
    const both = throughBoth(createAdmissionQueue({ atOnce: 1, waiting: 9 }), second);
    const inside: string[] = [];
    const enter = async (name: string, admission: typeof both) => {
      const slot = await admission.enter(stay, 'ci');
      inside.push(name);
      return slot;
    };
    const one = await enter('a', both);
    const waiting = enter('b', both);
    const other = await enter('c', second);
    const last = enter('d', second);
    await finish();
    expect(inside).toEqual(['a', 'c']);
    other.leave();
    await finish();
    expect(inside).toEqual(['a', 'c', 'd']);
    one.leave();
    await finish();
    expect(inside).toEqual(['a', 'c', 'd', 'b']);
    (await waiting).leave();
    (await last).leave();
  });

  test('keeps no place in the first for who is sent away at the second', async () => {
    const second = createAdmissionQueue({ atOnce: 1, waiting: 0 });
    const both = throughBoth(createAdmissionQueue({ atOnce: 1, waiting: 0 }), second);
    const slot = await second.enter(stay, 'ci');
    for (let time = 0; time < 3; time += 1) {
      await expect(both.enter(stay, 'ci')).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    slot.leave();
    await expect(both.enter(stay, 'ci')).resolves.toBeDefined();
  });
});

describe('One sender', () => {
  test('whose uploads are slow to come leaves a quarter of the places to the others', async () => {
    const admission = createAdmissionQueue({ atOnce: 4, waiting: 9 });
    const inside: string[] = [];
    const enter = async (who: string) => {
      const slot = await admission.enter(stay, who);
      inside.push(who);
      return slot;
    };
    const slow = Array.from({ length: 5 }, () => enter('slow'));
    await finish();
    expect(inside).toEqual(['slow', 'slow', 'slow']);
    const other = await enter('other');
    const waiting = enter('other');
    other.leave();
    await waiting;
    expect(inside.filter((who) => who === 'slow')).toHaveLength(3);
    (await slow[0]!).leave();
    await slow[3];
  });

  test('has all places for what has been received', async () => {
    const admission = createAdmissionQueue({ atOnce: 4, waiting: 9 });
    for (let n = 0; n < 4; n += 1) (await admission.enter(stay, 'quick')).received(1);
    let fifth = false;
    void admission.enter(stay, 'quick').then(() => (fifth = true));
    await finish();
    expect(fifth).toBe(false);
  });

  test('whose upload has been received makes room for its next one', async () => {
    const admission = createAdmissionQueue({ atOnce: 4, waiting: 9 });
    const slots = await Promise.all([1, 2, 3].map(() => admission.enter(stay, 'one')));
    const next = admission.enter(stay, 'one');
    slots[0]!.received(1);
    await expect(next).resolves.toBeDefined();
  });

  test('does not fill the queue for the others', async () => {
    const admission = createAdmissionQueue({ atOnce: 1, waiting: 4 });
    const slot = await admission.enter(stay, 'slow');
    const waiting = [1, 2, 3].map(() => admission.enter(stay, 'slow'));
    await expect(admission.enter(stay, 'slow')).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    const other = admission.enter(stay, 'other');
    slot.leave();
    for (const one of waiting) (await one).leave();
    await expect(other).resolves.toBeDefined();
  });
});

test('a slot that bounds memory is free again once a small upload is received, once a large one has left', async () => {
  const admission = releasingSmall(createAdmissionQueue({ atOnce: 1, waiting: 10 }), 1_000);
  const small = await admission.enter(stay, 'ci');
  const next = admission.enter(stay, 'ci');
  small.received(1_000);
  const large = await next;
  let entered = false;
  void admission.enter(stay, 'ci').then(() => (entered = true));
  large.received(1_001);
  small.leave();
  await finish();
  expect(entered).toBe(false);
  large.leave();
  await finish();
  expect(entered).toBe(true);
});
