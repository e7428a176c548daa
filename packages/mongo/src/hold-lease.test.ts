import type { ClientSession } from 'mongodb';
import { createLogger } from '@bomtrail/telemetry';
import { holdLease } from './hold-lease';
import { LeaseLost, type Lease } from './lease';

const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
const seconds = 0.3;

/** A lease of which the database answers what the test wants. */
function leaseWith(own: Partial<Lease>) {
  const calls = { renewed: 0, released: 0 };
  const lease: Lease = {
    token: 1,
    renew: async () => true,
    guard: async () => {},
    release: async () => void calls.released++,
    ...own,
  };
  const renew: Lease['renew'] = (more) => {
    calls.renewed++;
    return lease.renew(more);
  };
  return { calls, leases: { acquire: async () => ({ ...lease, renew }) } };
}

async function hold(own: Partial<Lease>) {
  const { calls, leases: made } = leaseWith(own);
  const tenure = await holdLease({ leases: made, log }, { name: 'work', seconds });
  if (tenure === null) throw new Error('not held');
  return { calls, tenure };
}

const leases = (count: number) => jest.advanceTimersByTimeAsync(count * seconds * 1000);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a lease of another process is not acquired', async () => {
  const taken = { acquire: async () => null };
  expect(await holdLease({ leases: taken, log }, { name: 'work', seconds })).toBeNull();
});

test('a lease is renewed until its end, then released', async () => {
  const { calls, tenure } = await hold({});
  await leases(10);
  expect(tenure.lost.aborted).toBe(false);
  expect(() => tenure.assertHeld()).not.toThrow();
  await tenure.end();
  expect(calls.released).toBe(1);
  const { renewed } = calls;
  await leases(10);
  expect(calls.renewed).toBe(renewed);
});

test.each([
  ['another process has taken it', async () => false],
  ['it is not renewed in time', () => Promise.reject(new Error('no primary'))],
])('work under a lease ends when %s', async (_, renew) => {
  const { tenure } = await hold({ renew });
  expect(() => tenure.assertHeld()).not.toThrow();
  await leases(1);
  expect(tenure.lost.aborted).toBe(true);
  expect(() => tenure.assertHeld()).toThrow(LeaseLost);
  await tenure.end();
});

test('work under a lease ends when a guarded transaction fails', async () => {
  const { tenure } = await hold({ guard: () => Promise.reject(new LeaseLost('work')) });
  await expect(tenure.guard({} as ClientSession)).rejects.toThrow(LeaseLost);
  expect(tenure.lost.aborted).toBe(true);
  await tenure.end();
});

test('a paused process detects the expired lease by its clock, before any timer fires', async () => {
  jest.useRealTimers();
  const { tenure } = await hold({});
  const over = performance.now() + seconds * 1000 + 5;
  while (performance.now() < over);
  expect(() => tenure.assertHeld()).toThrow(LeaseLost);
  await tenure.end();
});
