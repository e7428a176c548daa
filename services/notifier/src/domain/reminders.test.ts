import { optionsOf } from './alert-options';
import { remindDaysOf } from './reminders';

const digest = (every: string) => ({ digest: { every, time_zone: 'UTC' } });
const quiet = (weekends: boolean) => ({
  quiet_hours: { from: '18:00', to: '08:00', time_zone: 'UTC', weekends },
});

test.each<[string, object, number | null]>([
  ['a rule without reminders', { reminder_days: 3 }, null],
  ['a rule that tells at once', { reminders: true, reminder_days: 1 }, 1],
  ['a digest a day', { reminders: true, reminder_days: 1, ...digest('day') }, 2],
  ['a digest a week', { reminders: true, ...digest('week') }, 8],
  ['a digest that looks far ahead', { reminders: true, reminder_days: 30, ...digest('week') }, 30],
  ['quiet nights', { reminders: true, reminder_days: 1, ...quiet(false) }, 2],
  [
    'a digest a day, and quiet weekends',
    { reminders: true, reminder_days: 1, ...digest('day'), ...quiet(true) },
    4,
  ],
])('AL12: how many days ahead %s looks', (...[, config, days]) => {
  expect(remindDaysOf(optionsOf(config as Record<string, unknown>))).toBe(days);
});
