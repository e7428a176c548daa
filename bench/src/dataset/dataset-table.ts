import { calibrationLines, plainTable, shortNumber } from '../report/tables';
import { totalCpuSeconds } from '../measure/process-usage';
import type { DatasetReport } from './measure-dataset';

/** The report for a person at a terminal. */
export function renderDataset(report: DatasetReport): string {
  const changes = plainTable([
    'change',
    'seconds',
    'open rows',
    'versions judged',
    'sets judged',
    're-scans',
    'service states',
    'delay (mean s)',
    'CPU-s: all / scanner / reconciler / mongod',
  ]);
  for (const { name, seconds, rows, counted, costs } of report.changes) {
    const of = (process: string): string =>
      shortNumber(costs.find((cost) => cost.name === process)?.cpuSeconds ?? 0);
    const { delays, delaySeconds } = counted;
    changes.push([
      name,
      shortNumber(seconds),
      rows,
      counted.versionsEvaluated,
      counted.setsEvaluatedForChanges,
      counted.rescans,
      counted.serviceStatesChanged,
      delays > 0 ? shortNumber(delaySeconds / delays) : '',
      `${shortNumber(totalCpuSeconds(costs))} / ${of('scanner')} / ${of('reconciler')} / ${of('mongod')}`,
    ]);
  }
  const uploads = plainTable([
    'uploads of known packages',
    'uploads',
    '201 after ms p50 / p95',
    'readable after ms p50 / p95',
    'versions judged',
    'sets judged',
  ]);
  for (const { name, latency, counted } of report.uploads) {
    const { acceptedP50, acceptedP95, readableP50, readableP95 } = latency;
    uploads.push([
      name,
      latency.uploads,
      `${shortNumber(acceptedP50)} / ${shortNumber(acceptedP95)}`,
      `${shortNumber(readableP50)} / ${shortNumber(readableP95)}`,
      counted.versionsEvaluated,
      counted.setsEvaluatedForUploads,
    ]);
  }
  return [
    `dataset: ${report.sboms} SBOMs of ${report.services} services, 200 component sets`,
    changes.toString(),
    uploads.toString(),
    calibrationLines(report.calibration),
  ].join('\n\n');
}
