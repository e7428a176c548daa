import { usageError } from '../exit-codes';
import { readDuration } from './duration';

/** The end of a decision: a duration from now, or an ISO 8601 time. @throws CliError (usage) */
export function readExpiry(text: string): string {
  if (/^\d+[a-z]*$/.test(text)) {
    return new Date(Date.now() + readDuration(text, 'expires')).toISOString();
  }
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw usageError(`expires: "${text}" is neither a duration like 90d nor a time.`);
  return new Date(time).toISOString();
}
