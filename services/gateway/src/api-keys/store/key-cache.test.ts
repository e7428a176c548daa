import type { ApiKeyRecord } from '../domain/api-key';
import { createKeyCache } from './key-cache';

function record(prefix: string): ApiKeyRecord {
  return { prefix } as ApiKeyRecord;
}

/** A cache over a database that the test answers for, with a clock that the test sets. */
function given() {
  const harness = {
    at: 0,
    reads: [] as (readonly string[])[],
    exists: (prefix: string): boolean => prefix !== 'nobody',
    response: async (): Promise<void> => {},
  };
  const cache = createKeyCache(
    async (prefixes) => {
      harness.reads.push(prefixes);
      await harness.response();
      return prefixes.filter((prefix) => harness.exists(prefix)).map(record);
    },
    {
      now: () => harness.at,
      pause: async (ms) => void (harness.at += ms),
    },
  );
  return { harness, ...cache };
}

test('a record is believed for less than five seconds', async () => {
  const { harness, find } = given();
  await find('a');
  harness.at = 4_999;
  expect(await find('a')).toEqual(record('a'));
  expect(harness.reads).toHaveLength(1);
  harness.at = 5_000;
  harness.exists = () => false;
  expect(await find('a')).toBeNull();
});

test('the age counts from the question, not from a late answer', async () => {
  const { harness, find } = given();
  harness.response = async () => void (harness.at = 4_000);
  await find('a');
  harness.at = 5_000;
  harness.response = async () => {};
  await find('a');
  expect(harness.reads).toHaveLength(2);
});

test('requests at once share one question, and an unknown key is remembered too', async () => {
  const { harness, find } = given();
  expect(await Promise.all([find('nobody'), find('nobody'), find('nobody')])).toEqual([
    null,
    null,
    null,
  ]);
  await find('nobody');
  expect(harness.reads).toEqual([['nobody']]);
  harness.at = 5_000;
  await find('nobody');
  expect(harness.reads).toHaveLength(2);
});

test('an error is passed on and not remembered; a fresh record outlives an outage', async () => {
  const { harness, find, refresh } = given();
  await find('known');
  harness.response = async () => Promise.reject(new Error('down'));
  await expect(refresh()).rejects.toThrow('down');
  expect(await find('known')).toEqual(record('known'));
  await expect(find('other')).rejects.toThrow('down');
  harness.at = 5_000;
  await expect(find('known')).rejects.toThrow('down');
  harness.response = async () => {};
  expect(await find('other')).toEqual(record('other'));
});

describe('Keys in use', () => {
  test('are read anew in one go, so that no request ever waits for the database', async () => {
    const { harness, find, refresh } = given();
    await Promise.all(['a', 'b', 'nobody'].map((prefix) => find(prefix)));
    const before = harness.reads.length;
    for (let second = 2; second <= 120; second += 2) {
      harness.at = second * 1_000;
      await refresh();
      for (let request = 0; request < 100; request += 1) {
        await find('a');
        await find('b');
      }
    }
    const after = harness.reads.slice(before);
    expect(after).toHaveLength(60);
    expect(new Set(after.map((read) => [...read].sort().join()))).toEqual(new Set(['a,b']));
  });

  test('that were revoked are known to be so from the next look on', async () => {
    const { harness, find, refresh } = given();
    await find('a');
    harness.at = 2_000;
    harness.exists = () => false;
    await refresh();
    expect(await find('a')).toBeNull();
    expect(harness.reads).toHaveLength(2);
  });

  test('are looked at no more once they have not been used for a minute', async () => {
    const { harness, find, refresh } = given();
    await find('a');
    for (let second = 2; second <= 300; second += 2) {
      harness.at = second * 1_000;
      await refresh();
    }
    expect(harness.reads).toHaveLength(31);
  });

  test('that this process has revoked are refused at once, whatever a read that is under way says', async () => {
    const { harness, find, refresh, invalidate } = given();
    await find('a');
    harness.at = 2_000;
    let release: () => void = () => {};
    harness.response = () => new Promise((resolve) => (release = resolve));
    const reading = refresh();
    harness.at = 2_001;
    invalidate('a');
    release();
    await reading;
    expect(await find('a')).toBeNull();
  });
});

describe('Made-up keys', () => {
  test('cost at most 20 reads a second, however many they are', async () => {
    const { harness, find } = given();
    harness.exists = () => false;
    const found = await Promise.all(
      Array.from({ length: 20_000 }, (_, index) => find(`made-up ${index}`)),
    );
    expect(found.every((one) => one === null)).toBe(true);
    // Each read takes a thousand, 50 ms after the one before.
    expect(harness.reads).toHaveLength(20);
    expect(harness.at).toBe(19 * 50);
  });

  test('push out no key that is in use', async () => {
    const { harness, find } = given();
    await find('a');
    harness.exists = (prefix) => prefix === 'a';
    await Promise.all(Array.from({ length: 20_000 }, (_, index) => find(`made-up ${index}`)));
    const before = harness.reads.length;
    harness.at = 4_000;
    await find('a');
    expect(harness.reads).toHaveLength(before);
  });
});
