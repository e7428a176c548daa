import { listed, plainTable, seconds } from '../report';
import type { Difference, Witness } from '../witness';
import type { Replaced } from './replace-all';

/** One way: all processes replaced. */
export interface Phase {
  name: string;
  processes: readonly Replaced[];
  /** Calls of the load meanwhile. */
  sent: number;
  /** Requests without a response, or with a 5xx. */
  failed: number;
  slowestMs: number;
  /** From the end of the load until all was scanned. */
  scannedMs: number;
  /** Services of the CI jobs so far: one notification about each, unless a difference says otherwise. */
  alerts: number;
}

export interface UpgradeReport {
  seed: number;
  from: string;
  to: string;
  /** Responses about what was there before, compared after each phase. */
  compared: number;
  phases: readonly Phase[];
  acknowledged: Record<string, number>;
  differences: readonly Difference[];
}

export function makeUpgradeReport(
  run: Omit<UpgradeReport, 'acknowledged' | 'differences'>,
  witness: Witness,
): UpgradeReport {
  return {
    ...run,
    acknowledged: Object.fromEntries(witness.operations),
    differences: witness.differences,
  };
}

/** A row for each phase, and what was acknowledged. */
export function renderUpgradeReport(report: UpgradeReport): string {
  const table = plainTable([
    '',
    'processes',
    'longest start',
    'requests',
    'failed',
    'slowest',
    'all scanned',
    'alerts',
  ]);
  for (const phase of report.phases)
    table.push([
      phase.name,
      phase.processes.length,
      seconds(Math.max(...phase.processes.map(({ awayMs }) => awayMs))),
      phase.sent,
      phase.failed,
      seconds(phase.slowestMs),
      seconds(phase.scannedMs),
      phase.alerts,
    ]);
  return [
    table.toString(),
    `acknowledged: ${listed(report.acknowledged)}`,
    `Seed ${report.seed}: ${report.compared} responses as before, ${report.differences.length} differences.`,
  ].join('\n');
}
