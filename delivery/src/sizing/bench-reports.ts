import { readFileSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '@bomtrail/embedded';

/** The middle of several runs. */
interface Spread {
  readonly median: number;
}

interface Calibration {
  readonly sha256MbPerSecond: number;
  readonly jsonParseMbPerSecond: number;
}

/** What is read of a report of `npm run bench -- --json`. */
export interface BenchReport {
  /** Of its file. */
  readonly name: string;
  readonly machine: { readonly cpuCount: number };
  readonly calibration: { readonly before: Calibration; readonly after: Calibration };
  readonly runs: number;
  /** In the order in which they ran, on one stack. */
  readonly scenarios: readonly BenchScenario[];
}

export interface BenchScenario {
  readonly name: string;
  readonly size: { readonly uploads: number };
  readonly warmUpUploads: number;
  readonly summary: Readonly<Record<string, Spread | undefined>>;
  readonly processes: readonly {
    readonly name: string;
    readonly cpuSecondsPerSbom: Spread;
    readonly rssBytes: Spread;
  }[];
}

/** The format that the bench writes; raised when a field changes its meaning. */
const format = 2;

/** @throws OperatorError if the file is no such report */
export function readBenchReport(file: string): BenchReport {
  const refuse = (why: string): OperatorError =>
    new OperatorError(`${file} ${why}: name a file that "npm run bench -- --json FILE" wrote.`);
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Partial<BenchReport> & {
      format?: number;
    };
    if (report.format !== format || !Array.isArray(report.scenarios))
      throw refuse(`is no report of the bench in format ${format}`);
    return { ...(report as BenchReport), name: path.basename(file, '.json') };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw refuse(`cannot be read (${(error as Error).message})`);
  }
}
