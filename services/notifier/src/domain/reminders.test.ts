import { optionsOf } from './alert-options';
import { ofRiskFeed, ofVexSource, remindDaysOf } from './reminders';

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

test('AL13: of what was never read it is said so, not that it is as old as the last attempt', () => {
  const now = new Date('2026-03-08T09:30:00Z');
  const last_error = { message: 'away', at: '2026-03-08T09:00:00.000Z' };
  const source = { source: '/vex', last_error, age_seconds: null, documents: 0, rejected: 0 };
  const feed = { feed: 'kev' as const, enabled: true, source: null, last_success_at: null };
  const unloaded = { age_seconds: null, records: 0, revision: null, last_error };
  const old = '2026-03-01T00:00:00.000Z';
  const vex = (last_success_at: string | null) =>
    ofVexSource({ ...source, rejected_documents: [], last_success_at }, now);
  const risk = (as_of: string | null) => ofRiskFeed({ ...feed, ...unloaded, as_of }, now);
  expect([vex(null), risk(null)]).toMatchObject(
    Array(2).fill([{ about: 'never read', at: last_error.at }]),
  );
  expect([vex(old), risk(old)]).toMatchObject(Array(2).fill([{ about: '', at: old }]));
});
