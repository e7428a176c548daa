import { percentile } from '../measure/statistics';
import { calibrationLines, plainTable, shortNumber } from '../report/tables';
import type { ListsReport, MeasuredLists } from './run-lists';

const mib = 1024 * 1024;
const percents = [50, 95, 99];

/** The report for a person at a terminal. */
export function renderLists(report: ListsReport): string {
  return [
    'the databases',
    databasesTable(report),
    'milliseconds of a request to the running reconciler: p50 / p95 / p99 by vulnerabilities; ratio of the largest to the smallest database',
    requestsTable(report),
    'by filter, the requests of all orders together: p50 / p95 / p99; the worst order by its p50',
    filtersTable(report),
    calibrationLines(report.calibration),
  ].join('\n\n');
}

function databasesTable({ databases }: MeasuredLists): string {
  const table = plainTable([
    '',
    ...databases.map(({ vulnerabilities }) => `${vulnerabilities} vulnerabilities`),
  ]);
  table.push(
    ['open vulnerabilities', ...databases.map(({ open }) => open)],
    ['service states', ...databases.map(({ states }) => states)],
    ['vulnerabilities on disk, MiB', ...databases.map((one) => Math.round(one.dataBytes / mib))],
    ['their indexes, MiB', ...databases.map((one) => Math.round(one.indexBytes / mib))],
    ['start of the reconciler, s', ...databases.map((one) => shortNumber(one.prepareSeconds))],
  );
  for (const scope of Object.keys(databases[0]?.scopes ?? {}))
    table.push([`open: ${scope}`, ...databases.map(({ scopes }) => scopes[scope] ?? 0)]);
  for (const index of Object.keys(databases[0]?.indexes ?? {}))
    table.push([
      `index ${index}, MiB`,
      ...databases.map(({ indexes }) => shortNumber((indexes[index] ?? 0) / mib)),
    ]);
  return table.toString();
}

function requestsTable({ databases, requests }: MeasuredLists): string {
  const table = plainTable([
    'filter',
    'order',
    'page',
    ...databases.map(({ vulnerabilities }) => String(vulnerabilities)),
    'ratio p50',
    'ratio p99',
    'samples',
  ]);
  for (const { scope, sort, page, ms } of requests) {
    const cells = ms.map(percentilesOf);
    const ratios = [50, 99].map((percent) => shortNumber(ratioOf(ms, percent)));
    table.push([scope, sort, page, ...cells, ...ratios, ms[0]?.length ?? 0]);
  }
  return table.toString();
}

function filtersTable({ databases, requests }: MeasuredLists): string {
  const table = plainTable([
    'filter',
    'page',
    ...databases.map(({ vulnerabilities }) => String(vulnerabilities)),
    'ratio p50',
    'ratio p99',
    'worst ratio p50',
    'samples',
  ]);
  const kinds = new Set(requests.map(({ scope, page }) => JSON.stringify([scope, page])));
  for (const kind of kinds) {
    const of = requests.filter(({ scope, page }) => JSON.stringify([scope, page]) === kind);
    const all = databases.map((_, index) => of.flatMap(({ ms }) => ms[index] ?? []));
    const worst = Math.max(...of.map(({ ms }) => ratioOf(ms, 50)));
    const ratios = [...[50, 99].map((percent) => ratioOf(all, percent)), worst].map(shortNumber);
    table.push([
      ...(JSON.parse(kind) as string[]),
      ...all.map(percentilesOf),
      ...ratios,
      all[0]?.length ?? 0,
    ]);
  }
  return table.toString();
}

function percentilesOf(ms: readonly number[]): string {
  return percents.map((percent) => percentile(ms, percent).toFixed(1)).join(' / ');
}

function ratioOf(ms: readonly number[][], percent: number): number {
  return percentile(ms.at(-1) ?? [], percent) / percentile(ms[0] ?? [], percent);
}
