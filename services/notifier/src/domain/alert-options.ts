import type { AlertDigest, AlertOptions, QuietHours, Weekday } from '@bomtrail/messages';

type Fields = Readonly<Record<string, unknown>>;

/** Days before something runs out, unless a rule says otherwise. */
const usualReminderDays = 7;

/** The options in the `config` of a rule, which the gateway has validated. */
export function optionsOf(config: Fields): AlertOptions {
  const { owner, labels, quiet_hours, digest, reminders, reminder_days, installation } = config;
  const days = typeof reminder_days === 'number' ? reminder_days : usualReminderDays;
  return {
    owner: typeof owner === 'string' && owner.trim() !== '' ? owner.trim() : null,
    labels: Array.isArray(labels) ? labels.filter((one) => typeof one === 'string') : [],
    quiet_hours: isFields(quiet_hours) ? quietHoursOf(quiet_hours) : null,
    digest: isFields(digest) ? digestOf(digest) : null,
    reminder_days: reminders === true ? days : null,
    installation: installation === true,
  };
}

/** Options of a rule that names none. */
export const noOptions = optionsOf({});

function quietHoursOf({ from, to, time_zone, weekends }: Fields): QuietHours {
  return {
    from: textOf(from, '00:00'),
    to: textOf(to, '00:00'),
    time_zone: textOf(time_zone, 'UTC'),
    weekends: weekends === true,
  };
}

function digestOf({ every, at, weekday, time_zone }: Fields): AlertDigest {
  return {
    every: every === 'week' ? 'week' : 'day',
    at: textOf(at, '08:00'),
    weekday: textOf(weekday, 'monday') as Weekday,
    time_zone: textOf(time_zone, 'UTC'),
  };
}

function textOf(value: unknown, instead: string): string {
  return typeof value === 'string' ? value : instead;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a rule is limited to some services of its project. */
export function isRouted({ owner, labels }: Pick<AlertOptions, 'owner' | 'labels'>): boolean {
  return owner !== null || labels.length > 0;
}
