import { text } from '../text/en';
import { several } from '../text/several';

const instantForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const whole = new Intl.NumberFormat();
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function formatNumber(value: number): string {
  return whole.format(value);
}

/** In the user's time zone and locale, to the second: to be compared with logs, or read elsewhere. */
export function formatInstant(instant: string): string {
  return instantForm.format(new Date(instant));
}

/** The day of an instant in the user's time zone; a day without a time (`2026-11-20`) is the same everywhere. */
export function formatDay(instant: string): string {
  const form = instant.length === 10 ? utcDay : day;
  return form.format(new Date(instant));
}

/** How long ago, in the largest fitting unit: `3 days ago`. */
export function formatAgo(instant: string, now: number): string {
  return agoInSeconds((now - Date.parse(instant)) / 1000);
}

/** `age` in seconds. Less than a minute is “now”. */
export function agoInSeconds(age: number): string {
  for (const [unit, seconds] of units) {
    if (Math.abs(age) >= seconds) return relative.format(-Math.trunc(age / seconds), unit);
  }
  return text.common.now;
}

/** A share of 0 to 1 as per cent; small ones keep a digit, so that 0.4 % is not 0 %. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent === 0) return '0 %';
  if (percent < 0.1) return '< 0.1 %';
  return `${percent < 10 ? percent.toFixed(1) : Math.floor(percent)} %`;
}

/** `1 finding`, `2 findings`. */
export function counted(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${several(count, one, many)}`;
}

/** What a person is called: the name, or else what the provider has instead. */
export function personName(person: {
  name: string | null;
  email: string | null;
  subject: string;
}): string {
  return person.name ?? person.email ?? person.subject;
}
