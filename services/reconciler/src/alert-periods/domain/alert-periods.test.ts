import {
  alertThresholds,
  severities,
  type AlertThreshold,
  type Severity,
} from '@bomtrail/messages';
import fc from 'fast-check';
import {
  alertPeriodOf,
  alertPeriodsAfter,
  severitiesFrom,
  type AlertPeriodFacts,
} from './alert-periods';
import { toSnapshot } from '../../tracking/domain/snapshot';
import {
  beginOf,
  isAt,
  vulnerabilityStates,
  type VulnerabilityState,
} from '../../testing/model-alert-periods';
import { observation } from '../../tracking/domain/testing';
import type { TrackedStatus } from '../../tracking/domain/types';

const first_seen_at = new Date(0).toISOString();

/** A vulnerability in some state, as a write hands it over: without alert periods. */
function vulnerability(status: TrackedStatus, severity: Severity = 'high'): AlertPeriodFacts {
  const snapshot = toSnapshot([{ ...observation('lodash@1.0.0 GHSA-1'), severity }]);
  return { status, snapshot, first_seen_at };
}

function vulnerabilityIn(state: VulnerabilityState): AlertPeriodFacts {
  return isSeverity(state) ? vulnerability('open', state) : vulnerability(state);
}

function isSeverity(state: VulnerabilityState): state is Severity {
  return (severities as readonly string[]).includes(state);
}

/** What is stored after each of these writes, the first of which makes the vulnerability; by the second. */
function written(
  history: readonly VulnerabilityState[],
  clock = (write: number) => write + 1,
): AlertPeriodFacts[] {
  const stored: AlertPeriodFacts[] = [];
  for (const [write, state] of history.entries()) {
    const next = vulnerabilityIn(state);
    const now = new Date(clock(write) * 1000);
    stored.push({ ...next, alert_periods: alertPeriodsAfter(stored.at(-1), next, now) });
  }
  return stored;
}

/** The seconds of the moments after the last of these writes. */
function momentsAfter(...history: VulnerabilityState[]): Record<string, number> {
  const { alert_periods = {} } = written(history).at(-1) ?? {};
  const seconds = Object.entries(alert_periods).map(([name, at]) => [name, Date.parse(at) / 1000]);
  return Object.fromEntries(seconds);
}

const startOf = (stored: AlertPeriodFacts, threshold: AlertThreshold) =>
  Date.parse(alertPeriodOf(stored, threshold).period_start) / 1000;

test('E6 a vulnerability below the threshold has the time since which it is open, whatever its severity', () => {
  const stored = written(['none', 'critical', 'none', 'medium']);
  for (const one of stored) expect(alertPeriodOf(one, null).open_since).toBe(at(1));
  expect(alertPeriodOf(stored[3] as AlertPeriodFacts, 'high')).toEqual({
    period_start: at(1),
    notified_by: [at(1)],
    reaches_threshold: false,
    open_since: at(1),
  });
  const reopened = written(['none', 'fixed', 'none']).at(-1) as AlertPeriodFacts;
  expect(alertPeriodOf(reopened, null).open_since).toBe(at(3));
});

const at = (second: number) => new Date(second * 1000).toISOString();

describe('An alert period', () => {
  test('begins for all thresholds that the vulnerability reaches when it is opened', () => {
    expect(momentsAfter('critical')).toEqual({
      open: 1,
      low: 1,
      medium: 1,
      high: 1,
      critical: 1,
      last: 1,
    });
    expect(momentsAfter('medium')).toEqual({ open: 1, low: 1, medium: 1, last: 1 });
    expect(momentsAfter('unknown')).toEqual({ open: 1, low: 1, last: 1 });
    expect(momentsAfter('none')).toEqual({ open: 1, last: 1 });
  });

  test('is over when the vulnerability is fixed, accepted, merged or gone, and begins anew when it is back', () => {
    for (const state of ['fixed', 'accepted', 'merged', 'vanished'] as const) {
      expect(momentsAfter('high', state)).toEqual({ last: 1 });
      expect(momentsAfter('high', state, 'high')).toEqual({
        open: 3,
        low: 3,
        medium: 3,
        high: 3,
        last: 3,
      });
    }
  });

  test('does not begin with a vulnerability that is new and accepted by an acceptance', () => {
    expect(momentsAfter('accepted')).toEqual({});
    expect(momentsAfter('accepted', 'high')).toEqual({
      open: 2,
      low: 2,
      medium: 2,
      high: 2,
      last: 2,
    });
  });

  test('goes on where a write changes something else', () => {
    expect(momentsAfter('high', 'high')).toEqual(momentsAfter('high'));
  });

  test('begins for the thresholds over which the severity was raised, and goes on for those below', () => {
    expect(momentsAfter('medium', 'critical')).toEqual({
      open: 1,
      low: 1,
      medium: 1,
      high: 2,
      critical: 2,
      last: 2,
    });
    expect(momentsAfter('none', 'low')).toEqual({ open: 1, low: 2, last: 2 });
  });

  test('leaves its moment where the severity falls below its threshold, and begins anew with the next rise', () => {
    expect(momentsAfter('critical', 'medium')).toEqual(momentsAfter('critical'));
    expect(momentsAfter('critical', 'medium', 'critical')).toEqual({
      open: 1,
      low: 1,
      medium: 1,
      high: 3,
      critical: 3,
      last: 3,
    });
  });

  test('that begins ends those of higher thresholds which the vulnerability does not reach', () => {
    expect(momentsAfter('critical', 'medium', 'high')).toEqual({
      open: 1,
      low: 1,
      medium: 1,
      high: 3,
      last: 3,
    });
    expect(momentsAfter('critical', 'none', 'low')).toEqual({ open: 1, low: 3, last: 3 });
  });

  test('has a moment of its own where two changes have the same time, or the clock goes back', () => {
    const atOnce = written(['high', 'fixed', 'high'], () => 5);
    expect(startOf(atOnce[2] as AlertPeriodFacts, 'high')).toBe(5.001);
    const back = written(['high', 'accepted', 'high'], (write) => 100 - write);
    expect(startOf(back[2] as AlertPeriodFacts, 'high')).toBe(100.001);
  });

  test('is reported by that of a higher threshold within it, and not by one that was before', () => {
    const reported = (...history: VulnerabilityState[]) =>
      alertPeriodOf(written(history).at(-1) as AlertPeriodFacts, 'medium').notified_by.map(
        (at) => Date.parse(at) / 1000,
      );
    expect(reported('critical')).toEqual([1]);
    expect(reported('medium', 'critical')).toEqual([1, 2]);
    expect(reported('medium', 'critical', 'medium')).toEqual([1, 2]);
    expect(reported('medium', 'critical', 'low', 'medium')).toEqual([4]);
  });
});

test('A threshold takes what is at or above it, the lowest also what is unknown', () => {
  expect(severitiesFrom('critical')).toEqual(['critical']);
  expect(severitiesFrom('medium')).toEqual(['critical', 'high', 'medium']);
  expect(severitiesFrom('low').sort()).toEqual(['critical', 'high', 'low', 'medium', 'unknown']);
});

test('A vulnerability whose moments say nothing of a threshold that it reaches is reported nevertheless', () => {
  const last = new Date(7).toISOString();
  for (const alert_periods of [{ last }, { last, critical: last }])
    expect(alertPeriodOf({ ...vulnerability('open'), alert_periods }, 'high')).toEqual({
      period_start: last,
      notified_by: [last],
      reaches_threshold: true,
      open_since: last,
    });
  const nothing = alertPeriodOf({ ...vulnerability('open'), first_seen_at: null }, 'high');
  expect(nothing.period_start).toBe(first_seen_at);
  const stopped = { ...vulnerability('open', 'critical'), alert_periods: { last } };
  expect(alertPeriodsAfter(stopped, vulnerability('open', 'critical'), new Date(8)).critical).toBe(
    new Date(8).toISOString(),
  );
});

const history = fc.array(fc.constantFrom(...vulnerabilityStates), { minLength: 1, maxLength: 12 });
const clock = fc.constantFrom(
  (write: number) => write,
  () => 3,
  (write: number) => -write,
);

describe('Whatever a vulnerability goes through, by whatever clock,', () => {
  test('two looks see the same alert period exactly where nothing has broken it between them', () => {
    fc.assert(
      fc.property(history, clock, fc.constantFrom(...alertThresholds), (given, by, threshold) => {
        const stored = written(given, by);
        const checks = given.flatMap((state, write) => (isAt(state, threshold) ? [write] : []));
        for (const one of checks)
          for (const other of checks) {
            const isSame =
              alertPeriodOf(stored[one] as AlertPeriodFacts, threshold).period_start ===
              alertPeriodOf(stored[other] as AlertPeriodFacts, threshold).period_start;
            const isUnbroken = beginOf(given, one, threshold) === beginOf(given, other, threshold);
            if (isSame !== isUnbroken) throw new Error(`${one} and ${other} of ${given.join()}`);
          }
      }),
    );
  });

  test('an alert period is reported by another one only where that was within it', () => {
    const pair = fc.tuple(fc.constantFrom(...alertThresholds), fc.constantFrom(...alertThresholds));
    fc.assert(
      fc.property(history, clock, pair, (given, by, [threshold, other]) => {
        const stored = written(given, by);
        for (const now of given.keys()) {
          if (!isAt(given[now], threshold)) continue;
          const { notified_by } = alertPeriodOf(stored[now] as AlertPeriodFacts, threshold);
          for (let then = 0; then <= now; then++) {
            if (!isAt(given[then], other)) continue;
            const reported = alertPeriodOf(stored[then] as AlertPeriodFacts, other).period_start;
            const isWithin = then >= beginOf(given, now, threshold);
            if (notified_by.includes(reported) && !isWithin)
              throw new Error(`${other} at ${then}, ${threshold} at ${now} of ${given.join()}`);
          }
        }
      }),
    );
  });

  test('what is above a threshold now is reported by the higher ones that it is in', () => {
    fc.assert(
      fc.property(history, clock, (given, by) => {
        const now = written(given, by).at(-1) as AlertPeriodFacts;
        const reached = alertThresholds.filter((threshold) => isAt(given.at(-1), threshold));
        for (const [index, threshold] of reached.entries()) {
          const higher = reached.slice(0, index).map((one) => alertPeriodOf(now, one).period_start);
          expect(alertPeriodOf(now, threshold).notified_by).toEqual(expect.arrayContaining(higher));
        }
      }),
    );
  });
});
