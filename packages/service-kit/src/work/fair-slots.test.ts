import { setImmediate as endOfTurn } from 'node:timers/promises';
import { createFairSlots } from './fair-slots';

/** Work that goes on until it is told to end, and the order in which pieces began. */
function pieces() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    piece: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: (name: string): void => ends.get(name)?.(),
  };
}

test('a single piece of one key passes the backlog of another, which keeps its own order', async () => {
  const inSlot = createFairSlots(2);
  const { begun, piece, end } = pieces();
  const busy = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => inSlot('a', piece(name)));
  const single = inSlot('b', piece('b1'));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'a5']) {
    await endOfTurn();
    end(name);
  }
  await Promise.all([...busy, single]);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5']);
});

test('no more is at work than there are slots, and what waits begins when a piece ends', async () => {
  const inSlot = createFairSlots(2);
  const { begun, piece, end } = pieces();
  const all = ['a', 'b', 'c'].map((name) => inSlot(name, piece(name)));
  await endOfTurn();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await endOfTurn();
  expect(begun).toEqual(['a', 'b', 'c']);
  ['a', 'c'].forEach(end);
  await Promise.all(all);
});

test('a failure is told to who brought the work, and its slot goes on to the next', async () => {
  const inSlot = createFairSlots(1);
  const failing = inSlot('a', () => Promise.reject(new Error('no')));
  const next = inSlot('a', async () => 'next');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('next');
  await expect(inSlot('b', async () => 'later')).resolves.toBe('later');
});
