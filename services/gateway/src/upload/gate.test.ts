import { createGate, throughBoth } from './gate';

const stay = new AbortController().signal;

/** Lets everything happen that is ready to happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('so many are let in at once, the rest in the order they came', async () => {
  const gate = createGate({ atOnce: 2, waiting: 10 });
  const inside: string[] = [];
  const enter = async (name: string) => {
    const exit = await gate.enter(stay);
    inside.push(name);
    return exit;
  };
  const exits = ['a', 'b', 'c', 'd'].map(enter);
  await settle();
  expect(inside).toEqual(['a', 'b']);
  (await exits[1]!)();
  await settle();
  expect(inside).toEqual(['a', 'b', 'c']);
  (await exits[0]!)();
  await settle();
  expect(inside).toEqual(['a', 'b', 'c', 'd']);
});

test('leaving twice makes room for one', async () => {
  const gate = createGate({ atOnce: 1, waiting: 10 });
  const exit = await gate.enter(stay);
  let entered = 0;
  void gate.enter(stay).then(() => (entered += 1));
  void gate.enter(stay).then(() => (entered += 1));
  exit();
  exit();
  await settle();
  expect(entered).toBe(1);
});

test('when too many wait one more is sent away', async () => {
  const gate = createGate({ atOnce: 1, waiting: 1 });
  const exit = await gate.enter(stay);
  const waiting = gate.enter(stay);
  await expect(gate.enter(stay)).rejects.toMatchObject({ code: 'service_unavailable' });
  exit();
  (await waiting)();
  await expect(gate.enter(stay)).resolves.toEqual(expect.any(Function));
});

test('who goes away while waiting leaves the queue to the others', async () => {
  const gate = createGate({ atOnce: 1, waiting: 2 });
  const exit = await gate.enter(stay);
  const going = new AbortController();
  const gone = gate.enter(going.signal);
  const next = gate.enter(stay);
  going.abort();
  await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
  exit();
  await expect(next).resolves.toEqual(expect.any(Function));
});

test('who takes over a place leaves no room for another', async () => {
  const gate = createGate({ atOnce: 1, waiting: 2 });
  const exit = await gate.enter(stay);
  const next = gate.enter(stay);
  exit();
  const exitNext = await next;
  let entered = false;
  const last = gate.enter(stay).then((leave) => {
    entered = true;
    return leave;
  });
  await settle();
  expect(entered).toBe(false);
  exitNext();
  (await last)();
});

describe('One gate behind another', () => {
  test('bounds those who come through both, and not those who come through the second alone', async () => {
    const second = createGate({ atOnce: 2, waiting: 9 });
    const both = throughBoth(createGate({ atOnce: 1, waiting: 9 }), second);
    const inside: string[] = [];
    const enter = async (name: string, gate: typeof both) => {
      const exit = await gate.enter(stay);
      inside.push(name);
      return exit;
    };
    const one = await enter('a', both);
    const waiting = enter('b', both);
    const other = await enter('c', second);
    const last = enter('d', second);
    await settle();
    expect(inside).toEqual(['a', 'c']);
    other();
    await settle();
    expect(inside).toEqual(['a', 'c', 'd']);
    one();
    await settle();
    expect(inside).toEqual(['a', 'c', 'd', 'b']);
    (await waiting)();
    (await last)();
  });

  test('keeps no place in the first for who is sent away at the second', async () => {
    const second = createGate({ atOnce: 1, waiting: 0 });
    const both = throughBoth(createGate({ atOnce: 1, waiting: 0 }), second);
    const exit = await second.enter(stay);
    for (let time = 0; time < 3; time += 1) {
      await expect(both.enter(stay)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    exit();
    await expect(both.enter(stay)).resolves.toEqual(expect.any(Function));
  });
});
