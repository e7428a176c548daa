import type { BenchReport } from './bench-reports';
import { isUnsteady, slownessOf } from './calibration';
import { comparePoints, isOff, type Point } from './compare';

const widths = [12, 18, 18];

/** A line for each point, and how many are off. */
export function comparisonLines(reports: readonly BenchReport[]): string[] {
  const points = reports.flatMap(comparePoints);
  const off = points.filter(isOff);
  const counted = points.filter(({ counts }) => counts).length;
  return [
    ...reports.map(speedLine),
    '',
    row(['report', 'scenario', 'figure', 'predicted', 'measured', 'ratio']),
    ...points.map(pointLine),
    '',
    counted === 0
      ? 'No scenario of these reports is one that the model predicts.'
      : `${counted - off.length} of ${counted} within a quarter; * is off by more.`,
  ];
}

function speedLine(report: BenchReport): string {
  const line = `${report.name}: cores ${slownessOf(report).toFixed(2)} times as slow as those of the costs`;
  return isUnsteady(report)
    ? `${line}; their speed changed meanwhile, so that the figures say little: run the bench again on a quiet machine`
    : line;
}

function pointLine(point: Point): string {
  const { report, scenario, figure, predicted, measured, counts } = point;
  const ratio = counts ? (measured / predicted).toFixed(2) : 'small';
  const mark = isOff(point) ? ' *' : '  ';
  const numbers = [predicted.toPrecision(3), measured.toPrecision(3), `${ratio}${mark}`];
  return row([report, scenario, figure, ...numbers]);
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, at) => (at < widths.length ? cell.padEnd(widths[at] ?? 0) : cell.padStart(10)))
    .join(' ');
}
