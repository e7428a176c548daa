import type { BenchReport, BenchScenario } from './bench-reports';
import { slownessOf } from './calibration';
import {
  processes,
  residentBytes,
  storedBytes,
  uploadMs,
  type Process,
  type UploadKind,
} from './costs';
import { rateOn } from './model';

/** A measured figure beside what the model predicts for it on that machine. */
export interface Point {
  readonly report: string;
  readonly scenario: string;
  readonly figure: string;
  readonly predicted: number;
  readonly measured: number;
  /** False: too small for a ratio to say anything. */
  readonly counts: boolean;
}

/** Scenarios of the bench with uploads of one kind in the model. Bursts (`accept-rate`) cost less: they are processed in larger groups. */
const kindOf: Readonly<Record<string, UploadKind>> = {
  'backlog-new-sets': 'newSet',
  'fleet-release': 'release',
  'nightly-fleet': 'nightly',
};

/** Names of processes in reports. */
const named = (name: Process): string => (name === 'nats' ? 'nats-server' : name);
/** Of the CPU of an upload: less is near the resolution of the clock, and decides nothing. */
const smallShare = 0.05;
/** Its uploads are known already. */
const storesNothing = 'identical-bytes';
/** How far a prediction may be off: a quarter, either way. */
const most = 1.25;

export function isOff({ predicted, measured, counts }: Point): boolean {
  const ratio = measured / predicted;
  return counts && (ratio > most || ratio < 1 / most);
}

/** All figures of a report that the model predicts. */
export function comparePoints(report: BenchReport): Point[] {
  const slowness = slownessOf(report);
  let uploads = 0;
  return report.scenarios.flatMap((scenario) => {
    const { name, size, warmUpUploads } = scenario;
    if (name !== storesNothing) uploads += warmUpUploads + report.runs * size.uploads;
    const kind = kindOf[name];
    return kind === undefined ? [] : pointsOf(report, scenario, { kind, slowness, uploads });
  });
}

interface Load {
  kind: UploadKind;
  slowness: number;
  /** Sent to the stack by the end of the scenario. */
  uploads: number;
}

function pointsOf(report: BenchReport, scenario: BenchScenario, load: Load): Point[] {
  const { kind, slowness, uploads } = load;
  const median = (name: string): number | undefined => scenario.summary[name]?.median;
  const allMs = processes.reduce((sum, name) => sum + uploadMs[name][kind], 0) * slowness;
  const rate = rateOn(report.machine.cpuCount, kind) / slowness;
  const figures: [
    figure: string,
    predicted: number,
    measured: number | undefined,
    least?: number,
  ][] = [
    ['uploads a second', rate, median('processed_per_second')],
    ['CPU ms', allMs, inUnits(median('cpu_seconds_per_sbom'), 1e-3)],
    ['stored KB', storedBytes[kind] / 1e3, inUnits(median('stored_bytes_per_sbom'), 1e3)],
  ];
  for (const name of processes) {
    const found = scenario.processes.find((one) => one.name === named(name));
    const { start, perUpload } = residentBytes[name];
    const resident = start + perUpload * uploads;
    const ms = uploadMs[name][kind] * slowness;
    figures.push(
      [`CPU ms ${name}`, ms, inUnits(found?.cpuSecondsPerSbom.median, 1e-3), smallShare * allMs],
      [`RSS MB ${name}`, resident / 1e6, inUnits(found?.rssBytes.median, 1e6)],
    );
  }
  return figures.flatMap(([figure, predicted, measured, least = 0]) => {
    const counts = Math.max(predicted, measured ?? 0) >= least;
    return measured === undefined
      ? []
      : [{ report: report.name, scenario: scenario.name, figure, predicted, measured, counts }];
  });
}

function inUnits(value: number | undefined, unit: number): number | undefined {
  return value === undefined ? undefined : value / unit;
}
