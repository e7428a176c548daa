import type { Rule } from './alerts-queries';
import { isSameOption, optionConfig, optionsOf } from './rule-options';

const stored = {
  owner: 'Team A',
  labels: ['pci', 'eu'],
  quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', weekends: true },
  digest: { every: 'week', at: '09:00', weekday: 'friday', time_zone: 'America/New_York' },
  reminder_days: 14,
  installation: true,
};
const rule = { options: stored } as unknown as Rule;

test('what a rule has is sent again as it is: a configuration is replaced as a whole', () => {
  const { reminder_days, ...others } = stored;
  expect(optionConfig(optionsOf(rule, 'UTC'))).toEqual({
    ...others,
    reminders: true,
    reminder_days,
  });
});

test('a rule without options sends none, also one of an older server', () => {
  for (const none of [undefined, {} as unknown as Rule])
    expect(optionConfig(optionsOf(none, 'UTC'))).toEqual({});
});

test('weekends alone are a span without length, in the time zone of the browser', () => {
  const options = { ...optionsOf(undefined, 'Asia/Tokyo'), weekends: true };
  expect(optionConfig(options)).toEqual({
    quiet_hours: { from: '00:00', to: '00:00', time_zone: 'Asia/Tokyo', weekends: true },
  });
});

test('half a span is sent, so that it is refused and not lost', () => {
  const options = { ...optionsOf(undefined, 'UTC'), weekends: true };
  const times = { time_zone: 'UTC', weekends: true };
  expect(optionConfig({ ...options, quiet_from: '22:00' })).toEqual({
    quiet_hours: { from: '22:00', to: '', ...times },
  });
  expect(optionConfig({ ...options, quiet_to: '07:00' })).toEqual({
    quiet_hours: { from: '', to: '07:00', ...times },
  });
});

test('a daily digest has no weekday', () => {
  const options = optionsOf(undefined, 'UTC');
  expect(optionConfig({ ...options, digest: 'day' })).toEqual({
    digest: { every: 'day', at: '08:00', time_zone: 'UTC' },
  });
});

test('options are the same if they are sent alike', () => {
  const options = optionsOf(rule, 'UTC');
  expect(isSameOption(options, { ...options, labels: ' pci ,eu' })).toBe(true);
  expect(isSameOption(options, { ...options, owner: '' })).toBe(false);
});
