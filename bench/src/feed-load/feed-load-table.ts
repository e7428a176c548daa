import { calibrationLines, plainTable, shortNumber } from '../report/tables';
import type { MeasuredLoad } from './measure-load';
import type { FeedLoadReport } from './run-feed-load';

const mib = 1024 * 1024;

/** The report for a person at a terminal. */
export function renderFeedLoad(report: FeedLoadReport): string {
  const rejected = [...report.rejected].map(([reason, count]) => `  ${count} × ${reason}`);
  return [
    'the real advisories',
    tableOf(report.real),
    ['rejected, as far as each has a log line of its own:', ...rejected].join('\n'),
    `the generated feed, ${size(report.generatedBytes)} MiB of JSON`,
    tableOf(report.generated),
    calibrationLines(report.calibration),
  ].join('\n\n');
}

function tableOf(loads: readonly MeasuredLoad[]): string {
  const table = plainTable([
    'step',
    'records',
    'rejected',
    'seconds',
    'records/s',
    'CPU s scanner / mongod',
    'peak RSS MiB scanner / mongod',
    'database MiB logical / disk / indexes',
  ]);
  for (const load of loads) {
    const of = (name: string) => load.processes.find((one) => one.name === name);
    const [scanner, mongod] = [of('scanner'), of('mongod')];
    const { logicalBytes, diskBytes, indexBytes } = load.database;
    table.push([
      load.name,
      load.records,
      load.rejected,
      shortNumber(load.seconds),
      load.isWhole ? shortNumber(load.records / load.seconds) : '',
      `${shortNumber(scanner?.cpuSeconds ?? 0)} / ${shortNumber(mongod?.cpuSeconds ?? 0)}`,
      `${size(scanner?.peakRssBytes ?? 0)} / ${size(mongod?.peakRssBytes ?? 0)}`,
      `${size(logicalBytes)} / ${size(diskBytes)} / ${size(indexBytes)}`,
    ]);
  }
  return table.toString();
}

function size(bytes: number): number {
  return Math.round(bytes / mib);
}
