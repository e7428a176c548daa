import { attemptTimes } from './attempts';
import {
  afterFailure,
  postponed,
  isDue,
  isNotConfigured,
  notConfigured,
  waiting,
  type RetryState,
} from './retry-state';

const times = { shortestMs: 10, longestMs: 1_000, giveUpMs: 100 };
const at = (ms: number) => new Date(1_000_000 + ms);
const alertPeriods = (...moments: number[]) => moments.map((ms) => ({ periodStart: at(ms) }));
const fail = (before: RetryState | undefined, of: { periodStart: Date | null }[], now: Date) =>
  afterFailure({ before, alertPeriods: of, now, chance: 0 }, times);

test('the first failure begins a series, and everything stays new', () => {
  const [old] = alertPeriods(-500);
  const first = fail(undefined, alertPeriods(-500), at(0));
  expect(first).toMatchObject({ givenUp: [], remaining: [old], waitMs: 10 });
  expect(first.retry_state).toEqual({
    undelivered_since: at(0),
    failing_since: at(0),
    failures: 1,
    next_attempt_at: at(10),
    attempted_at: at(0),
  });
});

test('each further failure waits longer', () => {
  const first = fail(undefined, alertPeriods(-500), at(0)).retry_state ?? undefined;
  expect(fail(first, alertPeriods(-500), at(50)).retry_state).toEqual({
    undelivered_since: at(0),
    failing_since: at(0),
    failures: 2,
    next_attempt_at: at(70),
    attempted_at: at(50),
  });
});

test('after a long series of failures the oldest alerts are given up, and the series ends', () => {
  const first = fail(undefined, alertPeriods(-500, -1), at(0)).retry_state ?? undefined;
  const last = fail(first, alertPeriods(-500, -1), at(100));
  expect(last).toMatchObject({ givenUp: alertPeriods(-500, -1), remaining: [], retry_state: null });
});

test('later alerts remain, waiting since they appeared', () => {
  const first = fail(undefined, alertPeriods(-500), at(0)).retry_state ?? undefined;
  const last = fail(first, alertPeriods(-500, 60, 40), at(100));
  expect(last).toMatchObject({ givenUp: alertPeriods(-500), remaining: alertPeriods(60, 40) });
  expect(last.retry_state).toMatchObject({ undelivered_since: at(40), failing_since: at(0) });
});

test('what comes after a day of failures, however old it is, has a day of its own', () => {
  const first = fail(undefined, alertPeriods(60), at(0)).retry_state ?? undefined;
  const before = fail(first, alertPeriods(60), at(110)).retry_state ?? undefined;
  // Such as a service that has the owner of the rule now.
  const came = fail(before, alertPeriods(60, -500), at(120));
  expect(came).toMatchObject({ givenUp: [], retry_state: { failing_since: at(120) } });
  const paused = postponed(came.retry_state ?? undefined, { now: at(130), pauseMs: 50 });
  expect(fail(paused, alertPeriods(-500), at(219))).toMatchObject({ givenUp: [] });
  expect(fail(paused, alertPeriods(-500), at(220))).toMatchObject({ retry_state: null });
});

test('of what began at an unknown time, all failures count as the time that it waits', () => {
  const unknown = [{ periodStart: null }];
  const first = fail(undefined, unknown, at(0)).retry_state ?? undefined;
  const later = fail(first, unknown, at(50)).retry_state ?? undefined;
  expect(fail(later, [...alertPeriods(60), ...unknown], at(200))).toMatchObject({
    givenUp: alertPeriods(60),
    retry_state: { undelivered_since: at(0), failures: 3 },
  });
});

test('with an unconfigured channel alerts wait without attempts', () => {
  const first = notConfigured(undefined, at(0));
  expect(notConfigured(first, at(50))).toEqual(first);
  expect(first).toMatchObject({ undelivered_since: at(0), failures: 0, next_attempt_at: null });
  expect([undefined, first, { ...first, next_attempt_at: at(1) }].map(isNotConfigured)).toEqual([
    ...[false, true, false],
  ]);
});

test('a postponed rule has not failed', () => {
  const waiting = postponed(undefined, { now: at(0), pauseMs: 50 });
  expect(waiting).toEqual({
    undelivered_since: at(0),
    failing_since: null,
    failures: 0,
    next_attempt_at: at(50),
  });
  const failed = fail(undefined, alertPeriods(-500), at(0)).retry_state ?? undefined;
  expect(postponed(failed, { now: at(5), pauseMs: 50 })).toEqual({
    ...failed,
    next_attempt_at: at(55),
  });
});

test('a weekend without attempts is not a day of failures', () => {
  const hourMs = 3_600_000;
  const real = (before: RetryState | undefined, now: Date) =>
    afterFailure({ before, alertPeriods: alertPeriods(0), now, chance: 0 }, attemptTimes);
  const friday = real(undefined, at(1_000)).retry_state ?? undefined;
  const monday = real(friday, at(62 * hourMs));
  expect(monday.givenUp).toEqual([]);
  expect(monday.retry_state).toMatchObject({ failing_since: at(62 * hourMs), failures: 1 });
});

test('AL10: quiet hours are not a part of a day of failures', () => {
  const first = fail(undefined, alertPeriods(-500), at(0)).retry_state!;
  const quiet = waiting(waiting(first, at(20)), at(90));
  expect(quiet).toEqual({ ...first, next_attempt_at: null, waiting_since: at(20) });
  const morning = fail(quiet, alertPeriods(-500), at(220));
  expect(morning.givenUp).toEqual([]);
  expect(morning.retry_state).toMatchObject({ failing_since: at(200), failures: 2 });
  expect(morning.retry_state).not.toHaveProperty('waiting_since');
  expect(fail(morning.retry_state!, alertPeriods(-500), at(300)).retry_state).toBeNull();
  expect(postponed(quiet, { now: at(220), pauseMs: 50 })).toEqual({
    ...first,
    failing_since: at(200),
    next_attempt_at: at(270),
  });
  expect(waiting(notConfigured(undefined, at(0)), at(20)).failing_since).toBeNull();
});

test('a next attempt that lies further ahead than any wait is not waited for', () => {
  const next = (ms: number) =>
    isDue({ ...postponed(undefined, { now: at(0), pauseMs: ms }) }, at(0));
  expect([0, 1, 3_600_000, 3_600_001].map(next)).toEqual([true, false, false, true]);
  expect(isDue(undefined, at(0))).toBe(true);
});
