import { createTurns } from './turns';

test('work under one key runs in order, also after a failure, and keys do not wait for each other', async () => {
  const inTurn = createTurns();
  const seen: string[] = [];
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));

  const first = inTurn('a', async () => {
    await gate;
    seen.push('a1');
    throw new Error('first fails');
  });
  const second = inTurn('a', async () => {
    seen.push('a2');
    return 'second';
  });
  await inTurn('b', async () => seen.push('b1'));
  release();

  await expect(first).rejects.toThrow('first fails');
  await expect(second).resolves.toBe('second');
  expect(seen).toEqual(['b1', 'a1', 'a2']);
});
