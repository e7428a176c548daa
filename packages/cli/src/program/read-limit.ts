import { usageError } from '../exit-codes';

/** Parses `--limit`. @throws CliError (usage) unless it is from 1 to 999999 */
export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw usageError(`limit: "${text}" is not a number from 1 to 999999.`);
  return Number(text);
}
