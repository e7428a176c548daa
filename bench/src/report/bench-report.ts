import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BenchFailure } from '../bench-failure';
import type { Calibrations } from '../measure/in-folder';
import type { Machine } from '../measure/machine';
import type { ScenarioReport } from '../scenarios/run-scenario';
import type { GitCommit } from './git-commit';

/** The content of a result file. `format` is raised when a field is removed or changes its meaning. */
export interface BenchReport {
  format: 2;
  startedAt: string;
  finishedAt: string;
  smoke: boolean;
  runs: number;
  commit: GitCommit | null;
  machine: Machine;
  calibration: Calibrations;
  data: DataDescription;
  /** CPU-seconds a second that the idle stack uses. */
  idleCores: number;
  scenarios: ScenarioReport[];
}

/** What was uploaded, and matched against what. */
export interface DataDescription {
  document: string;
  components: number;
  /** Rows that the document gives. */
  vulnerabilities: number;
  /** Known (purl, advisory id) pairs that were checked. */
  knownPairs: number;
  advisories: 'shared folder' | 'starter set';
  /** `advisory_data` of the document: on which advisories the answers stand. */
  advisoryData: string;
}

/** Writes the report as JSON, making the folder when it is missing. Throws when the file cannot be written. */
export function writeReport(report: BenchReport, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}

/** Reads a written report. Throws a `BenchFailure` when the file has none. */
export function readReport(file: string): BenchReport {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Partial<BenchReport>;
    if (Array.isArray(report.scenarios) && report.calibration !== undefined) {
      return report as BenchReport;
    }
  } catch (error) {
    throw new BenchFailure(`${file}: ${error instanceof Error ? error.message : error}`);
  }
  throw new BenchFailure(`${file} is no report of the bench`);
}

/** `<folder>/<time of the start>.json`. */
export function defaultReportFile(folder: string, startedAt: Date): string {
  return join(folder, `${timeInName(startedAt)}.json`);
}

/** A moment in UTC, without characters that file systems refuse. */
export function timeInName(moment: Date): string {
  return moment.toISOString().replace(/[:.]/g, '-');
}
