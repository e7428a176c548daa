import { plainTable, shortNumber } from '../report/tables';
import type { VersionsReport } from './measure-versions';

/** The report for a person at a terminal. */
export function renderVersions(report: VersionsReport): string {
  const { versions, uploads, advisory, deleteMs } = report;
  const table = plainTable([
    '',
    `${versions.short} versions`,
    `${versions.long} versions`,
    'ratio',
  ]);
  const row = (name: string, short: number, long: number): void => {
    table.push([name, shortNumber(short), shortNumber(long), (long / short).toFixed(2)]);
  };
  for (const { kind, latency } of uploads) {
    const { short, long } = latency;
    row(`${kind}: 201 after ms p50`, short.acceptedP50, long.acceptedP50);
    row(`${kind}: 201 after ms p95`, short.acceptedP95, long.acceptedP95);
    row(`${kind}: readable after ms p50`, short.readableP50, long.readableP50);
    row(`${kind}: readable after ms p95`, short.readableP95, long.readableP95);
  }
  const { short, long } = advisory;
  row('advisory in the list after s', short.listedSeconds, long.listedSeconds);
  row('upload beside it readable after ms', short.uploadMs, long.uploadMs);
  row('quiet again after s', short.quietSeconds, long.quietSeconds);
  row('delete of the latest SBOM, ms', deleteMs.short, deleteMs.long);
  return table.toString();
}
