import type { Schemas } from '../../api/client';
import { labelsOf } from '../projects/labels-of';
import type { Rule } from './alerts-queries';

/** When a rule sends, and to which services it is limited, as the fields of the form have it. */
export interface Options {
  owner: string;
  /** Separated by commas. */
  labels: string;
  reminders: boolean;
  reminder_days: string;
  /** `HH:MM`; both empty: never. */
  quiet_from: string;
  quiet_to: string;
  weekends: boolean;
  /** Empty: at each check. */
  digest: '' | 'day' | 'week';
  digest_at: string;
  weekday: NonNullable<NonNullable<Schemas['AlertDigest']>['weekday']>;
  /** Of the digest and of the quiet hours: each has its own. */
  digest_zone: string;
  quiet_zone: string;
  /** Kept as it is: only administrators set it, by the API. */
  installation: boolean;
}

/** @param localZone that of the browser, for a rule without times */
export function optionsOf(rule: Rule | undefined, localZone: string): Options {
  const options = rule?.options;
  const quiet = options?.quiet_hours;
  const digest = options?.digest;
  return {
    owner: options?.owner ?? '',
    labels: options?.labels.join(', ') ?? '',
    reminders: typeof options?.reminder_days === 'number',
    reminder_days: String(options?.reminder_days ?? 7),
    quiet_from: quiet?.from ?? '',
    quiet_to: quiet?.to ?? '',
    weekends: quiet?.weekends ?? false,
    digest: digest?.every ?? '',
    digest_at: digest?.at ?? '08:00',
    weekday: (digest?.weekday ?? 'monday') as Options['weekday'],
    digest_zone: digest?.time_zone ?? quiet?.time_zone ?? localZone,
    quiet_zone: quiet?.time_zone ?? digest?.time_zone ?? localZone,
    installation: options?.installation ?? false,
  };
}

/** Whether two would be sent alike. */
export function isSameOption(one: Options, other: Options): boolean {
  return JSON.stringify(optionConfig(one)) === JSON.stringify(optionConfig(other));
}

/** The part of a rule's `config` that has the options. */
export function optionConfig(options: Options) {
  const { owner, labels, reminders, reminder_days, weekends } = options;
  const named = labelsOf(labels);
  const quiet = quietHours(options);
  const digest = options.digest && {
    every: options.digest,
    at: options.digest_at,
    time_zone: options.digest_zone,
    ...(options.digest === 'week' && { weekday: options.weekday }),
  };
  return {
    ...(owner.trim() && { owner: owner.trim() }),
    ...(named.length > 0 && { labels: named }),
    ...(reminders && { reminders, reminder_days: Number(reminder_days) || 7 }),
    ...(quiet && { quiet_hours: { ...quiet, time_zone: options.quiet_zone, weekends } }),
    ...(digest && { digest }),
    ...(options.installation && { installation: true }),
  };
}

/** Weekends alone are a span without length. Half a span is sent, so that it is refused and not lost. */
function quietHours({ quiet_from, quiet_to, weekends }: Options) {
  if (quiet_from || quiet_to) return { from: quiet_from, to: quiet_to };
  return weekends ? { from: '00:00', to: '00:00' } : undefined;
}
