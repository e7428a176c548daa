import { noOptions, optionsOf } from './alert-options';
import { waitsFor, type TimedRule } from './waiting';

const created_at = new Date('2026-01-14T10:00:00Z');
const rule = (config: object, rest: Partial<TimedRule> = {}): TimedRule => ({
  options: optionsOf(config as Record<string, unknown>),
  created_at,
  ...rest,
});
const at = (time: string) => new Date(`2026-01-${time}:00Z`);
const quiet_hours = { from: '22:00', to: '06:00', time_zone: 'UTC' };
const digest = { every: 'day', at: '08:00', time_zone: 'UTC' };
const retry_state = { failures: 1 };

test.each<[string, TimedRule, Date, ReturnType<typeof waitsFor>]>([
  ['a rule without options', rule({}), at('14T23:00'), null],
  ['a rule of an earlier version', { created_at }, at('14T23:00'), null],
  ['AL10: in quiet hours', rule({ quiet_hours }), at('14T23:00'), 'quiet_hours'],
  ['AL10: after them', rule({ quiet_hours }), at('15T06:00'), null],
  [
    'AL10: a retry in quiet hours',
    rule({ quiet_hours }, { retry_state }),
    at('14T23:00'),
    'quiet_hours',
  ],
  ['AL11: before its first digest', rule({ digest }), at('15T07:59'), 'digest'],
  ['AL11: at its first digest', rule({ digest }), at('15T08:00'), null],
  ['AL11: after it', rule({ digest }, { digested_to: at('15T08:00') }), at('15T09:00'), 'digest'],
  [
    'AL11: at the next one',
    rule({ digest }, { digested_to: at('15T08:00') }),
    at('16T08:00'),
    null,
  ],
  [
    'AL11: one that was missed',
    rule({ digest }, { digested_to: at('15T08:00') }),
    at('19T13:00'),
    null,
  ],
  [
    'AL11: one that failed',
    rule({ digest }, { digested_to: at('15T08:00'), retry_state }),
    at('15T09:00'),
    null,
  ],
  [
    'AL11: after a digest by a clock that was a year ahead',
    rule({ digest }, { digested_to: new Date('2027-01-15T08:00:00Z') }),
    at('15T09:00'),
    null,
  ],
  [
    'AL11: created by a clock that was a day ahead',
    rule({ digest }, { created_at: at('17T10:00') }),
    at('16T10:00'),
    null,
  ],
  [
    'AL11: after a digest by a clock that is minutes ahead',
    rule({ digest }, { digested_to: at('15T08:00') }),
    at('15T07:55'),
    'digest',
  ],
  [
    'a digest in quiet hours',
    rule({ digest, quiet_hours: { ...quiet_hours, to: '09:00' } }),
    at('15T08:00'),
    'quiet_hours',
  ],
])('%s', (...[, one, now, expected]) => {
  expect(waitsFor(one, now)).toBe(expected);
});

test('the options of a config', () => {
  expect(optionsOf({})).toEqual(noOptions);
  expect(optionsOf({ owner: ' ', labels: null, quiet_hours: null, digest: null })).toEqual(
    noOptions,
  );
  expect(optionsOf({ reminders: true, installation: true })).toMatchObject({
    reminder_days: 7,
    installation: true,
  });
  expect(optionsOf({ reminders: true, reminder_days: 30 }).reminder_days).toBe(30);
  expect(optionsOf({ reminder_days: 30 }).reminder_days).toBeNull();
  expect(optionsOf({ digest: { every: 'week' } }).digest).toEqual({
    every: 'week',
    at: '08:00',
    weekday: 'monday',
    time_zone: 'UTC',
  });
});
