import { setImmediate as endOfTick } from 'node:timers/promises';
import { createGroups } from './groups';

/** Work that runs until it is ended by name, and the order in which it began. */
function pieces() {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  return {
    begun,
    piece: (name: string) => () =>
      new Promise<string>((resolve, reject) => {
        begun.push(name);
        ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
      }),
    end: (name: string, failure?: Error): void => ends.get(name)?.(failure),
  };
}

test('the work of one tick begins together, further work when all of the group has ended', async () => {
  const inGroup = createGroups(2);
  const { begun, piece, end } = pieces();
  const all = ['a', 'b', 'c'].map((name) => inGroup(piece(name)));
  await endOfTick();
  expect(begun).toEqual(['a', 'b']);
  const late = inGroup(piece('d'));
  end('a');
  await endOfTick();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await endOfTick();
  await endOfTick();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['c', 'd']) end(name);
  expect(await Promise.all([...all, late])).toEqual(['a', 'b', 'c', 'd']);
});

test('a failure is that of its work alone, and the next group begins', async () => {
  const inGroup = createGroups(2);
  const { piece, end } = pieces();
  const failing = inGroup(piece('a'));
  const other = inGroup(piece('b'));
  const next = inGroup(async () => 'next');
  await endOfTick();
  end('a', new Error('refused'));
  end('b');
  await expect(failing).rejects.toThrow('refused');
  expect(await other).toBe('b');
  expect(await next).toBe('next');
});
