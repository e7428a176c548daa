import type { ApiKeyRecord } from '../domain/api-key';
import { createKeyCache } from './key-cache';

function record(prefix: string): ApiKeyRecord {
  return { prefix } as ApiKeyRecord;
}

/** A cache over a database that the test answers for, with a clock that the test sets. */
function given() {
  const world = {
    at: 0,
    reads: [] as (readonly string[])[],
    exists: (prefix: string): boolean => prefix !== 'nobody',
    answer: async (): Promise<void> => {},
  };
  const cache = createKeyCache(
    async (prefixes) => {
      world.reads.push(prefixes);
      await world.answer();
      return prefixes.filter((prefix) => world.exists(prefix)).map(record);
    },
    {
      now: () => world.at,
      pause: async (ms) => void (world.at += ms),
    },
  );
  return { world, ...cache };
}

test('a record is believed for less than five seconds', async () => {
  const { world, find } = given();
  await find('a');
  world.at = 4_999;
  expect(await find('a')).toEqual(record('a'));
  expect(world.reads).toHaveLength(1);
  world.at = 5_000;
  world.exists = () => false;
  expect(await find('a')).toBeNull();
});

test('the age counts from the question, not from a late answer', async () => {
  const { world, find } = given();
  world.answer = async () => void (world.at = 4_000);
  await find('a');
  world.at = 5_000;
  world.answer = async () => {};
  await find('a');
  expect(world.reads).toHaveLength(2);
});

test('requests at once share one question, and an unknown key is remembered too', async () => {
  const { world, find } = given();
  expect(await Promise.all([find('nobody'), find('nobody'), find('nobody')])).toEqual([
    null,
    null,
    null,
  ]);
  await find('nobody');
  expect(world.reads).toEqual([['nobody']]);
  world.at = 5_000;
  await find('nobody');
  expect(world.reads).toHaveLength(2);
});

test('an error is passed on and not remembered; a fresh record outlives an outage', async () => {
  const { world, find, refresh } = given();
  await find('known');
  world.answer = async () => Promise.reject(new Error('down'));
  await expect(refresh()).rejects.toThrow('down');
  expect(await find('known')).toEqual(record('known'));
  await expect(find('other')).rejects.toThrow('down');
  world.at = 5_000;
  await expect(find('known')).rejects.toThrow('down');
  world.answer = async () => {};
  expect(await find('other')).toEqual(record('other'));
});

describe('Keys in use', () => {
  test('are read anew in one go, so that no request ever waits for the database', async () => {
    const { world, find, refresh } = given();
    await Promise.all(['a', 'b', 'nobody'].map((prefix) => find(prefix)));
    const before = world.reads.length;
    for (let second = 2; second <= 120; second += 2) {
      world.at = second * 1_000;
      await refresh();
      for (let request = 0; request < 100; request += 1) {
        await find('a');
        await find('b');
      }
    }
    const after = world.reads.slice(before);
    expect(after).toHaveLength(60);
    expect(new Set(after.map((read) => [...read].sort().join()))).toEqual(new Set(['a,b']));
  });

  test('that were revoked are known to be so from the next look on', async () => {
    const { world, find, refresh } = given();
    await find('a');
    world.at = 2_000;
    world.exists = () => false;
    await refresh();
    expect(await find('a')).toBeNull();
    expect(world.reads).toHaveLength(2);
  });

  test('are looked at no more once they have not been used for a minute', async () => {
    const { world, find, refresh } = given();
    await find('a');
    for (let second = 2; second <= 300; second += 2) {
      world.at = second * 1_000;
      await refresh();
    }
    expect(world.reads).toHaveLength(31);
  });

  test('that this process has revoked are refused at once, whatever a read that is under way says', async () => {
    const { world, find, refresh, forget } = given();
    await find('a');
    world.at = 2_000;
    let release: () => void = () => {};
    world.answer = () => new Promise((resolve) => (release = resolve));
    const reading = refresh();
    world.at = 2_001;
    forget('a');
    release();
    await reading;
    expect(await find('a')).toBeNull();
  });
});

describe('Made-up keys', () => {
  test('cost at most 20 reads a second, however many they are', async () => {
    const { world, find } = given();
    world.exists = () => false;
    const found = await Promise.all(
      Array.from({ length: 20_000 }, (_, index) => find(`made-up ${index}`)),
    );
    expect(found.every((one) => one === null)).toBe(true);
    // Each read takes a thousand, 50 ms after the one before.
    expect(world.reads).toHaveLength(20);
    expect(world.at).toBe(19 * 50);
  });

  test('push out no key that is in use', async () => {
    const { world, find } = given();
    await find('a');
    world.exists = (prefix) => prefix === 'a';
    await Promise.all(Array.from({ length: 20_000 }, (_, index) => find(`made-up ${index}`)));
    const before = world.reads.length;
    world.at = 4_000;
    await find('a');
    expect(world.reads).toHaveLength(before);
  });
});
