import Table from 'cli-table3';
import { shortNumber } from '../report/tables';
import type { MeasuredLoad } from './measure-load';
import type { FeedLoadReport } from './run-feed-load';

const mib = 1024 * 1024;

/** The report for a person at a terminal. */
export function renderFeedLoad(report: FeedLoadReport): string {
  const { before, after } = report.calibration;
  const machine = [before, after].map(
    (one) =>
      `SHA-256 ${shortNumber(one.sha256MbPerSecond)} MB/s, JSON.parse ${shortNumber(one.jsonParseMbPerSecond)} MB/s, ${shortNumber(one.fsyncsPerSecond)} fsync/s`,
  );
  const rejected = [...report.rejected].map(([reason, count]) => `  ${count} × ${reason}`);
  return [
    'the real advisories',
    tableOf(report.real),
    ['rejected, as far as each has a log line of its own:', ...rejected].join('\n'),
    `the generated feed, ${size(report.generatedBytes)} MiB of JSON`,
    tableOf(report.generated),
    `calibration before: ${machine[0]}`,
    `calibration after:  ${machine[1]}`,
  ].join('\n\n');
}

function tableOf(loads: readonly MeasuredLoad[]): string {
  const table = new Table({
    style: { head: [], border: [] },
    head: [
      ...['step', 'records', 'rejected', 'seconds', 'records/s', 'CPU s scanner / mongod'],
      ...['peak RSS MiB scanner / mongod', 'database MiB logical / disk / indexes'],
    ],
  });
  for (const load of loads) {
    const of = (name: string) => load.processes.find((one) => one.name === name);
    const [scanner, mongod] = [of('scanner'), of('mongod')];
    const { logicalBytes, diskBytes, indexBytes } = load.database;
    table.push([
      ...[load.name, load.records, load.rejected, shortNumber(load.seconds)],
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
