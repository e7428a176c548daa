import { createGate, throughBoth } from './gate';

const stay = new AbortController().signal;

/** Lets everything happen that is ready to happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('so many are let in at once, the rest in the order they came', async () => {
  const gate = createGate({ atOnce: 2, waiting: 10 });
  const inside: string[] = [];
  const enter = async (name: string) => {
    const place = await gate.enter(stay, 'ci');
    inside.push(name);
    return place;
  };
  const exits = ['a', 'b', 'c', 'd'].map(enter);
  await settle();
  expect(inside).toEqual(['a', 'b']);
  (await exits[1]!).leave();
  await settle();
  expect(inside).toEqual(['a', 'b', 'c']);
  (await exits[0]!).leave();
  await settle();
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
});

test('leaving twice makes room for one', async () => {
  const gate = createGate({ atOnce: 1, waiting: 10 });
  const place = await gate.enter(stay, 'ci');
  let entered = 0;
  void gate.enter(stay, 'ci').then(() => (entered += 1));
  void gate.enter(stay, 'ci').then(() => (entered += 1));
  place.leave();
  place.leave();
  await settle();
  expect(entered).toBe(1);
});

test('when too many wait one more is sent away', async () => {
  const gate = createGate({ atOnce: 1, waiting: 1 });
  const place = await gate.enter(stay, 'ci');
  const waiting = gate.enter(stay, 'ci');
  await expect(gate.enter(stay, 'ci')).rejects.toMatchObject({ code: 'service_unavailable' });
  place.leave();
  (await waiting).leave();
  await expect(gate.enter(stay, 'ci')).resolves.toBeDefined();
});

test('who goes away while waiting leaves the queue to the others', async () => {
  const gate = createGate({ atOnce: 1, waiting: 2 });
  const place = await gate.enter(stay, 'ci');
  const going = new AbortController();
  const gone = gate.enter(going.signal, 'ci');
  const next = gate.enter(stay, 'ci');
  going.abort();
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
  place.leave();
  await expect(next).resolves.toBeDefined();
});

test('who takes over a place leaves no room for another', async () => {
  const gate = createGate({ atOnce: 1, waiting: 2 });
  const place = await gate.enter(stay, 'ci');
  const next = gate.enter(stay, 'ci');
  place.leave();
  const taken = await next;
  let entered = false;
  const last = gate.enter(stay, 'ci').then((place) => {
    entered = true;
    return place;
  });
  await settle();
  expect(entered).toBe(false);
  taken.leave();
  (await last).leave();
});

describe('One gate behind another', () => {
  test('bounds those who come through both, and not those who come through the second alone', async () => {
    const second = createGate({ atOnce: 2, waiting: 9 });
    const both = throughBoth(createGate({ atOnce: 1, waiting: 9 }), second);
    const inside: string[] = [];
    const enter = async (name: string, gate: typeof both) => {
      const place = await gate.enter(stay, 'ci');
      inside.push(name);
      return place;
    };
    const one = await enter('a', both);
    const waiting = enter('b', both);
    const other = await enter('c', second);
    const last = enter('d', second);
    await settle();
    expect(inside).toEqual(['a', 'c']);
    other.leave();
    await settle();
    expect(inside).toEqual(['a', 'c', 'd']);
    one.leave();
    await settle();
    expect(inside).toEqual(['a', 'c', 'd', 'b']);
    (await waiting).leave();
    (await last).leave();
  });

  test('keeps no place in the first for who is sent away at the second', async () => {
    const second = createGate({ atOnce: 1, waiting: 0 });
    const both = throughBoth(createGate({ atOnce: 1, waiting: 0 }), second);
    const place = await second.enter(stay, 'ci');
    for (let time = 0; time < 3; time += 1) {
      await expect(both.enter(stay, 'ci')).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    place.leave();
    await expect(both.enter(stay, 'ci')).resolves.toBeDefined();
  });
});

describe('One sender', () => {
  test('whose uploads are slow to come leaves a quarter of the places to the others', async () => {
    const gate = createGate({ atOnce: 4, waiting: 9 });
    const inside: string[] = [];
    const enter = async (who: string) => {
      const place = await gate.enter(stay, who);
      inside.push(who);
      return place;
    };
    const slow = Array.from({ length: 5 }, () => enter('slow'));
    await settle();
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
    const gate = createGate({ atOnce: 4, waiting: 9 });
    for (let n = 0; n < 4; n += 1) (await gate.enter(stay, 'quick')).received();
    let fifth = false;
    void gate.enter(stay, 'quick').then(() => (fifth = true));
    await settle();
    expect(fifth).toBe(false);
  });

  test('whose upload has been received makes room for its next one', async () => {
    const gate = createGate({ atOnce: 4, waiting: 9 });
    const places = await Promise.all([1, 2, 3].map(() => gate.enter(stay, 'one')));
    const next = gate.enter(stay, 'one');
    places[0]!.received();
    await expect(next).resolves.toBeDefined();
  });

  test('does not fill the queue for the others', async () => {
    const gate = createGate({ atOnce: 1, waiting: 4 });
    const place = await gate.enter(stay, 'slow');
    const waiting = [1, 2, 3].map(() => gate.enter(stay, 'slow'));
    await expect(gate.enter(stay, 'slow')).rejects.toMatchObject({ code: 'service_unavailable' });
    const other = gate.enter(stay, 'other');
    place.leave();
    for (const one of waiting) (await one).leave();
    await expect(other).resolves.toBeDefined();
  });
});
