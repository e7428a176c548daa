import { usageError } from '../exit-codes';
import { readDuration } from '../settings/duration';

/** Parses `--detected-since`: so long ago, a day (UTC) or a time. @throws CliError (usage) */
export function readSince(text: string, _previous?: unknown, now = Date.now()): string {
  if (/^\d+[a-z]+$/.test(text))
    return new Date(now - readDuration(text, 'detected-since')).toISOString();
  const time = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw usageError(
      `detected-since: "${text}" is neither a duration like 7d nor a day like 2026-06-01.`,
    );
  return new Date(time).toISOString();
}
