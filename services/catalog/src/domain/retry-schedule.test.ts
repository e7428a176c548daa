import { dueWhileQueued, firstRescanRetry, nextRetry } from './retry-schedule';

const now = new Date('2026-01-01T00:00:00Z');

function secondsUntil(moment: Date): number {
  return (moment.getTime() - now.getTime()) / 1000;
}

test('a scan is requested again after 20 s, doubled each time, at most 10 minutes', () => {
  const waits = [0, 1, 2, 3, 4, 5, 50].map((requests) => secondsUntil(nextRetry(now, requests)));
  expect(waits).toEqual([20, 40, 80, 160, 320, 600, 600]);
});

test('a re-scan behind many others is not requested again too early', () => {
  const waits = [0, 50, 2000, 1_000_000].map((ahead) => secondsUntil(firstRescanRetry(now, ahead)));
  expect(waits).toEqual([20, 21, 60, 620]);
});

test('with a long queue only scans overdue by 10 minutes are requested again', () => {
  expect([0, 100, 101].map((queued) => secondsUntil(dueWhileQueued(now, queued)))).toEqual([
    0, 0, -600,
  ]);
});
