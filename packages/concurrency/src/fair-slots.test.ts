import { setImmediate as endOfTick } from 'node:timers/promises';
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

test('a single piece of one key overtakes the backlog of another, which keeps its order', async () => {
  const inSlot = createFairSlots(2);
  const { begun, piece, end } = pieces();
  const busy = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => inSlot('a', piece(name)));
  const single = inSlot('b', piece('b1'));
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'a5']) {
    await endOfTick();
    end(name);
  }
  await Promise.all([...busy, single]);
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5']);
});

test('work never exceeds the slots, and waiting work starts when a slot is free', async () => {
  const inSlot = createFairSlots(2);
  const { begun, piece, end } = pieces();
  const all = ['a', 'b', 'c'].map((name) => inSlot(name, piece(name)));
  await endOfTick();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await endOfTick();
  expect(begun).toEqual(['a', 'b', 'c']);
  ['a', 'c'].forEach(end);
  await Promise.all(all);
});

test('a failure rejects its caller and frees the slot', async () => {
  const inSlot = createFairSlots(1);
  const failing = inSlot('a', () => Promise.reject(new Error('no')));
  const next = inSlot('a', async () => 'next');
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('next');
  await expect(inSlot('b', async () => 'later')).resolves.toBe('later');
});
