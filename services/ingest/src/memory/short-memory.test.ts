import { createShortMemory } from './short-memory';

function memory(maxSize: number) {
  const clock = { now: 0 };
  const options = { maxAgeMs: 10, maxSize, sizeOf: (text: string) => text.length };
  return { clock, ...createShortMemory<string>({ ...options, now: () => clock.now }) };
}

test('a value is remembered until it is too old, counted from when it was last set', () => {
  const { clock, get, set } = memory(100);
  set('a', 'one');
  clock.now = 9;
  expect(get('a')).toBe('one');
  set('a', 'two');
  clock.now = 18;
  expect(get('a')).toBe('two');
  clock.now = 19;
  expect(get('a')).toBeUndefined();
});

test('the oldest give way to what is new, and what is too large is not kept', () => {
  const { get, set } = memory(6);
  set('a', 'xxx');
  set('b', 'xxx');
  set('a', 'xx');
  set('c', 'xx');
  expect([get('a'), get('b'), get('c')]).toEqual(['xx', undefined, 'xx']);
  set('d', 'xxxxxxx');
  expect([get('a'), get('c'), get('d')]).toEqual([undefined, undefined, undefined]);
});

test('what is deleted is gone and makes room', () => {
  const { get, set, delete: forget } = memory(4);
  set('a', 'xx');
  set('b', 'xx');
  forget('a');
  forget('a');
  set('c', 'xx');
  expect([get('a'), get('b'), get('c')]).toEqual([undefined, 'xx', 'xx']);
});
