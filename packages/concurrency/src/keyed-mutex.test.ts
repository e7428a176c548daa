import { createKeyedMutex } from './keyed-mutex';

test('work under one key runs in order, also after a failure, and keys do not wait for each other', async () => {
  const withKey = createKeyedMutex();
  const seen: string[] = [];
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));

  const first = withKey('a', async () => {
    await gate;
    seen.push('a1');
    throw new Error('first fails');
  });
  const second = withKey('a', async () => {
    seen.push('a2');
    return 'second';
  });
  await withKey('b', async () => seen.push('b1'));
  release();

  await expect(first).rejects.toThrow('first fails');
  await expect(second).resolves.toBe('second');
  expect(seen).toEqual(['b1', 'a1', 'a2']);
});

test('work is told whether it had to wait for other work under its key', async () => {
  const withKey = createKeyedMutex();
  const waited = (key: string) => withKey(key, (hasWaited) => Promise.resolve(hasWaited));
  expect(await Promise.all([waited('a'), waited('a'), waited('b')])).toEqual([false, true, false]);
  expect(await waited('a')).toBe(false);
});
