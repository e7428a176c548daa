import { createFailedKeys } from './failed-keys';

const address = '192.0.2.1';
let time: number;
beforeEach(() => (time = 1_000));
const now = () => time;

function fail(failed: ReturnType<typeof createFailedKeys>, times: number, from = address) {
  return Array.from({ length: times }, () => failed.count(from)).at(-1);
}

test('an address is locked out by one wrong key too many, until its minute is over', () => {
  const failed = createFailedKeys({ perMinute: 3, now });
  expect(fail(failed, 3)).toEqual({ lockedFor: 0, first: false });
  time += 20_000;
  expect(failed.count(address)).toEqual({ lockedFor: 40, first: true });
  expect(failed.count(address)).toEqual({ lockedFor: 40, first: false });
  expect(failed.count(address).lockedFor).toBe(40);
  expect(failed.count('192.0.2.2').lockedFor).toBe(0);
  time += 39_999;
  expect(failed.count(address).lockedFor).toBe(1);
  time += 1;
  expect(failed.count(address).lockedFor).toBe(0);
  expect(failed.count(address)).toEqual({ lockedFor: 0, first: false });
});

test('of IPv6 a whole network is counted as one', () => {
  const failed = createFailedKeys({ perMinute: 1, now });
  fail(failed, 1, '2001:db8::1');
  expect(failed.count('2001:db8::2').first).toBe(true);
  expect(failed.count('2001:db8:0:1::1').lockedFor).toBe(0);
});

test('memory is bounded: of a flood of addresses the oldest are forgotten', () => {
  const failed = createFailedKeys({ perMinute: 1, now });
  fail(failed, 2);
  for (let index = 0; index < 10_000; index += 1) failed.count(`10.1.${index >> 8}.${index & 255}`);
  expect(failed.count(address).lockedFor).toBe(0);
  expect(fail(failed, 2, '10.1.39.15')?.lockedFor).toBe(60);
});

test('a limit of 0 is none', () => {
  const failed = createFailedKeys({ perMinute: 0, now });
  expect(fail(failed, 1_000)).toEqual({ lockedFor: 0, first: false });
});
