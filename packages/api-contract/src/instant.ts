import type { Fault } from './fault';

const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/;

/**
 * The fault of a text that should be an RFC 3339 date-time. The offset from UTC is required,
 * because times without one are ambiguous.
 */
export function instantFault(text: string): Fault | undefined {
  const match = shape.exec(text);
  if (!match) return parsingFault('expected the form 2030-01-31T12:00:00Z');
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  if (month < 1 || month > 12) return parsingFault('month value is outside 1 to 12');
  if (day < 1 || day > daysIn(year, month)) return parsingFault('the month has no such day');
  if (hour > 23) return parsingFault('hour value is outside 0 to 23');
  if (minute > 59) return parsingFault('minute value is outside 0 to 59');
  if (second > 59) return parsingFault('second value is outside 0 to 59');
  if (match[7] === undefined) {
    return { type: 'timezone_aware', msg: 'Input should have timezone info' };
  }
  const utc = new Date(text.toUpperCase());
  if (Number.isNaN(utc.getTime())) return parsingFault('the offset from UTC is not valid');
  if (!/^\d{4}-/.test(utc.toISOString())) return parsingFault('year value is outside 0 to 9999');
  return undefined;
}

/** An RFC 3339 date-time as UTC with milliseconds and `Z`; finer fractions are truncated. */
export function toUtc(text: string): string {
  return new Date(text.toUpperCase()).toISOString();
}

type Six = [number, number, number, number, number, number];

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function parsingFault(error: string): Fault {
  return {
    type: 'datetime_from_date_parsing',
    msg: `Input should be a valid datetime, ${error}`,
    ctx: { error },
  };
}
