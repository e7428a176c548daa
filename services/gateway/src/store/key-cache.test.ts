import type { ApiKeyRecord } from '../domain/api-key';
import { createKeyCache } from './key-cache';

const record = { id: 'id' } as ApiKeyRecord;

/** A cache over a database that the test answers for, with a clock that the test sets. */
function given() {
  const world = {
    at: 0,
    asked: 0,
    answer: (): Promise<ApiKeyRecord | null> => Promise.resolve(record),
  };
  const find = createKeyCache(
    () => {
      world.asked += 1;
      return world.answer();
    },
    () => world.at,
  );
  return { world, find };
}

test('a record is believed for less than five seconds', async () => {
  const { world, find } = given();
  await find('a');
  world.at = 4_999;
  await find('a');
  expect(world.asked).toBe(1);
  world.at = 5_000;
  world.answer = async () => null;
  expect(await find('a')).toBeNull();
});

test('the age counts from the question, not from a late answer', async () => {
  const { world, find } = given();
  world.answer = async () => {
    world.at = 4_000;
    return record;
  };
  await find('a');
  world.at = 5_000;
  await find('a');
  expect(world.asked).toBe(2);
});

test('requests at once share one question, and an unknown key is remembered too', async () => {
  const { world, find } = given();
  world.answer = async () => null;
  expect(await Promise.all([find('a'), find('a'), find('a')])).toEqual([null, null, null]);
  expect(world.asked).toBe(1);
  await find('b');
  expect(world.asked).toBe(2);
});

test('an error is passed on and not remembered; a fresh record outlives an outage', async () => {
  const { world, find } = given();
  await find('known');
  world.answer = async () => Promise.reject(new Error('down'));
  expect(await find('known')).toBe(record);
  await expect(find('other')).rejects.toThrow('down');
  world.at = 5_000;
  await expect(find('known')).rejects.toThrow('down');
  world.answer = async () => record;
  expect(await find('other')).toBe(record);
});
