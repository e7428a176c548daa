import Table from 'cli-table3';
import { countIn, type Difference, type Witness } from './witness';

/** What came of a run. */
export interface ChaosReport {
  seed: number;
  minutes: number;
  acknowledged: Record<string, number>;
  repeated: Record<string, number>;
  faults: Record<string, number>;
  differences: readonly Difference[];
  /** From the moment all is ready again until what was under way is done, in milliseconds. */
  resumeMs: readonly number[];
  /** From the last recovery until everything was compared. */
  comparedMs: number;
}

export function makeReport(
  run: Pick<ChaosReport, 'seed' | 'minutes' | 'resumeMs' | 'comparedMs'>,
  witness: Witness,
  faults: ReadonlyMap<string, number>,
): ChaosReport {
  return {
    ...run,
    acknowledged: Object.fromEntries(witness.operations),
    repeated: Object.fromEntries(witness.repeats),
    faults: Object.fromEntries([...faults].sort()),
    differences: witness.differences,
  };
}

export function renderReport(report: ChaosReport): string {
  const { acknowledged, repeated, differences } = report;
  const kinds = new Map<string, number>();
  for (const { kind } of differences) countIn(kinds, kind);
  const of = (kind: Difference['kind']): number => kinds.get(kind) ?? 0;
  const outcome = plainTable(['seed', String(report.seed)], [20, 78]);
  outcome.push(
    ['acknowledged', `${sum(acknowledged)} (${listed(acknowledged)})`],
    ['asked again', `${sum(repeated)} (${listed(repeated)})`],
    ['lost', of('lost')],
    ['double', of('double')],
    ['other differences', of('differs') + of('failed')],
    ['late', of('late')],
    ['recoveries', report.resumeMs.length],
    ['slowest resume', seconds(Math.max(0, ...report.resumeMs))],
    ['all compared after', seconds(report.comparedMs)],
  );
  return [outcome.toString(), faultTable(report.faults)].join('\n');
}

/** Creates a table without colours; with `colWidths` long cells are wrapped. */
export function plainTable(head: string[], colWidths: number[] = []): InstanceType<typeof Table> {
  const wordWrap = colWidths.length > 0;
  return new Table({ style: { head: [], border: [] }, head, wordWrap, colWidths });
}

const faultKinds = ['kill', 'pause', 'restart', 'full disk', 'point'];

function faultTable(faults: Record<string, number>): string {
  const names = [...new Set(Object.keys(faults).map((key) => key.split(' ').at(-1) ?? ''))];
  const table = plainTable(['process', ...faultKinds]);
  for (const name of names)
    table.push([name, ...faultKinds.map((kind) => faults[`${kind} ${name}`] ?? 0)]);
  return table.toString();
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function listed(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}
