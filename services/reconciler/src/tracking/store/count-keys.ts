import { severities, type Severity } from '@bomtrail/messages';
import { presentStatuses } from '../domain/decisions';

/** Counted statuses; the others are in no list. */
export const countedStatuses = [...presentStatuses, 'fixed'] as const;
export type CountedStatus = (typeof countedStatuses)[number];

/** The severity alone for open vulnerabilities, else preceded by the status. */
export type CountKey = Severity | `${Exclude<CountedStatus, 'open'>}_${Severity}`;

/** Vulnerabilities by status and severity; a missing key has none. */
export type StatusCounts = Partial<Record<CountKey, number>>;

/** All keys. */
export const countKeys = keysOf(countedStatuses);

/** The keys of some statuses. */
export function keysOf(statuses: readonly CountedStatus[]): CountKey[] {
  return statuses.flatMap((status) => severities.map((severity) => countKey(status, severity)));
}

/** The key of a status and a severity. */
export function countKey(status: CountedStatus, severity: Severity): CountKey {
  return status === 'open' ? severity : `${status}_${severity}`;
}

/** Adds `counts`, multiplied by `times`, to `sum`. */
export function addTo(sum: StatusCounts, counts: StatusCounts, times: number): void {
  for (const [key, count] of Object.entries(counts) as [CountKey, number][])
    if (count) sum[key] = (sum[key] ?? 0) + times * count;
}

/** Whether all counts are zero. */
export function isNothing(counts: StatusCounts): boolean {
  return countKeys.every((key) => !counts[key]);
}

/** Whether both have the same counts; a missing one is zero. */
export function sameCounts(a: StatusCounts, b: StatusCounts): boolean {
  return countKeys.every((key) => (a[key] ?? 0) === (b[key] ?? 0));
}

/** `3 high, 1 unknown, 2 fixed low`. */
export function formatCounts(counts: StatusCounts): string {
  const counted = countKeys.flatMap((key) =>
    counts[key] ? [`${counts[key]} ${key.replaceAll('_', ' ')}`] : [],
  );
  return counted.length > 0 ? counted.join(', ') : 'none';
}

/** The vulnerabilities with these statuses and severities. */
export function sumOfCounts(
  counts: StatusCounts,
  statuses: readonly CountedStatus[],
  of: readonly Severity[],
): number {
  const keys = statuses.flatMap((status) => of.map((severity) => countKey(status, severity)));
  return keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
}
