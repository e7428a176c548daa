import { listed, plainTable, seconds } from '../report';
import type { Difference, Witness } from '../witness';
import type { StrikeResult } from './run-strike';

/** What came of a run; times in milliseconds. */
export interface ClusterReport {
  seed: number;
  acknowledged: Record<string, number>;
  repeated: Record<string, number>;
  /** In the order in which they came, each with the time until what was under way was scanned. */
  hits: readonly (StrikeResult & { scannedMs: number })[];
  differences: readonly Difference[];
  comparedMs: number;
}

export function makeClusterReport(
  run: Pick<ClusterReport, 'seed' | 'hits' | 'comparedMs'>,
  witness: Witness,
): ClusterReport {
  return {
    ...run,
    acknowledged: Object.fromEntries(witness.operations),
    repeated: Object.fromEntries(witness.repeats),
    differences: witness.differences,
  };
}

/** A row for each strike, what was acknowledged, and the line that says it all. */
export function renderClusterReport(report: ClusterReport): string {
  const table = plainTable([
    'killed',
    'away',
    'longest pause',
    'accepted meanwhile',
    'asked again',
    'caught up',
    'scanned',
  ]);
  for (const one of report.hits)
    table.push([
      `${one.what} (${one.nodes.join(', ')})`,
      seconds(one.awayMs),
      seconds(one.pauseMs),
      one.acceptedAway,
      one.repeated,
      seconds(one.wholeMs),
      seconds(one.scannedMs),
    ]);
  return [
    table.toString(),
    `acknowledged: ${listed(report.acknowledged)}`,
    `asked again: ${listed(report.repeated)}`,
    closingLine(report),
  ].join('\n');
}

/**
 * What came of it all in one line. The longest pause is that of strikes after which every kind has a node
 * left that can take uploads.
 */
function closingLine({ seed, hits, differences, comparedMs }: ClusterReport): string {
  const count = (...kinds: Difference['kind'][]): number =>
    differences.filter(({ kind }) => kinds.includes(kind)).length;
  const pauses = hits.filter(({ refused }) => refused === 'none').map(({ pauseMs }) => pauseMs);
  return [
    `Seed ${seed}: ${count('lost')} acknowledged lost, ${count('double')} double,`,
    `${count('differs', 'failed')} differences, ${count('late')} late;`,
    `longest pause of uploads with one node of a kind away ${seconds(Math.max(0, ...pauses))},`,
    `compared in ${seconds(comparedMs)}.`,
  ].join(' ');
}
