import { plainTable, shortNumber } from '../report/tables';
import type { MeasuredDelete } from './measure-deletes';

/** The report for a person at a terminal. */
export function renderDeletes(deletes: readonly MeasuredDelete[]): string {
  const answers = plainTable(['deleted', 'rows', '204 after ms', 'purged after s']);
  const reads = plainTable([
    'while purging a',
    'reads of another project',
    'count',
    'p50 ms',
    'p95 ms',
    'ratio p95',
  ]);
  for (const { what, rows, answerMs, purgeSeconds, before, during } of deletes) {
    answers.push([what, rows, shortNumber(answerMs), shortNumber(purgeSeconds)]);
    for (const kind of ['list', 'detail'] as const) {
      const [was, is] = [before[kind], during[kind]];
      const pair = (field: 'count' | 'p50' | 'p95'): string =>
        `${shortNumber(was[field])} → ${shortNumber(is[field])}`;
      const name = kind === 'list' ? 'active list' : 'SBOM detail';
      reads.push([
        what,
        name,
        pair('count'),
        pair('p50'),
        pair('p95'),
        (is.p95 / was.p95).toFixed(2),
      ]);
    }
  }
  return [answers.toString(), reads.toString()].join('\n\n');
}
