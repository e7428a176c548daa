import { usageError } from '../exit-codes';

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Parses `90`, `90s`, `2m`, `500ms`, `1h`, `30d`; a bare number is seconds.
 *
 * @returns milliseconds
 * @throws CliError (usage) that names the setting
 */
export function readDuration(text: string, setting: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)?$/.exec(text.trim());
  if (!match) {
    throw usageError(`${setting}: "${text}" is not a duration like 60s, 2m or 1h.`);
  }
  return Number(match[1]) * unitMs[(match[2] ?? 's') as keyof typeof unitMs];
}

/** Formats a duration in its largest whole unit: `90 s`, `3 h`, `12 d`. */
export function ageText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
