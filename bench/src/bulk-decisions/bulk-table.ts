import { plainTable, shortNumber } from '../report/tables';
import type { MeasuredBulk } from './measure-bulk';

/** The report for a person at a terminal. */
export function renderBulk({
  rows,
  seconds,
  auditEntries,
  idle,
  beside,
  killed,
}: MeasuredBulk): string {
  const calls = plainTable(['call', 'decided', 'seconds', 'audit entries']);
  calls.push(['undisturbed', rows, shortNumber(seconds), auditEntries]);
  calls.push([
    `reconciler killed with ${killed.openAtKill} open`,
    rows,
    shortNumber(killed.seconds),
    '',
  ]);
  const uploads = plainTable(['uploads to another project', 'count', 'p50 ms', 'p95 ms']);
  for (const [when, times] of [
    ['idle', idle],
    ['beside the call', beside],
  ] as const)
    uploads.push([when, times.count, shortNumber(times.p50), shortNumber(times.p95)]);
  const ratio = `ratio of p50: ${(beside.p50 / idle.p50).toFixed(2)}`;
  return [calls.toString(), uploads.toString(), ratio].join('\n\n');
}
