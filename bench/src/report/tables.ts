import Table from 'cli-table3';
import type { Calibration } from '../measure/calibration';
import type { Calibrations } from '../measure/in-folder';
import type { ScenarioReport } from '../scenarios/run-scenario';
import type { JudgedAim } from './aims';
import type { BenchReport } from './bench-report';
import { figureNames, figureTitles, type FigureName } from './figures';

/** The report for a person at a terminal: figures by scenario, cost by process, and what they were measured on. */
export function renderReport(report: BenchReport): string {
  return [figuresTable(report), processTable(report), surroundings(report)].join('\n\n');
}

/** Three significant digits; whole numbers from 100 on. */
export function shortNumber(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

function figuresTable(report: BenchReport): string {
  const table = plainTable(['scenario', 'figure', 'min', 'median', 'max', 'aim']);
  for (const { name, size, summary, aims } of report.scenarios) {
    const rows = figureNames.flatMap((figure) => {
      const spread = summary[figure];
      if (spread === undefined) return [];
      const aim = aims.find((one) => one.figure === figure);
      const { title } = figureTitles[figure];
      const numbers = [spread.min, spread.median, spread.max];
      return [[title, ...numbers.map((value) => shown(figure, value)), aim ? aimCell(aim) : '']];
    });
    const headings = [name, `${size.uploads} × ${size.clients}`];
    rows.forEach((row, n) => table.push([headings[n] ?? '', ...row]));
    table.push([]);
  }
  return table.toString();
}

/** The medians of a scenario's figures in one line. */
export function medians(summary: ScenarioReport['summary']): string {
  return figureNames
    .flatMap((figure) => {
      const spread = summary[figure];
      return spread ? [`${figureTitles[figure].title} ${shown(figure, spread.median)}`] : [];
    })
    .join(', ');
}

function aimCell({ figure, bound, value, isReached }: JudgedAim): string {
  const sign = bound === 'at least' ? '≥' : '≤';
  return `${sign} ${shown(figure, value)}: ${isReached ? 'reached' : 'not reached'}`;
}

/** A figure in the unit of its title. */
export function shown(figure: FigureName, value: number): string {
  return shortNumber(value / (figureTitles[figure].unit ?? 1));
}

function processTable(report: BenchReport): string {
  const names = new Set(
    report.scenarios.flatMap(({ processes }) => processes.map(({ name }) => name)),
  );
  const table = plainTable(['CPU-ms/SBOM | RSS MiB (peak)', ...names]);
  for (const { name: scenario, processes } of report.scenarios) {
    const cells = [...names].map((name) => {
      const found = processes.find((entry) => entry.name === name);
      if (found === undefined) return '';
      const cpu = shortNumber(found.cpuSecondsPerSbom.median * 1000);
      return `${cpu} | ${mebibytes(found.rssBytes.median)} (${mebibytes(found.peakRssBytes)})`;
    });
    table.push([scenario, ...cells]);
  }
  return table.toString();
}

function surroundings(report: BenchReport): string {
  const { data, machine, commit, calibration } = report;
  const modified = commit?.modified === true ? ', with changes that are not committed' : '';
  return [
    `runs: ${report.runs} (min, median, max)${report.smoke ? '; smoke: no figures to compare' : ''}`,
    `document: ${data.document}: ${data.components} components, ${data.vulnerabilities} vulnerabilities; ` +
      `${data.knownPairs} known (purl, advisory) pairs checked`,
    `advisories: ${data.advisories} (advisory_data: ${data.advisoryData})`,
    `idle stack: ${shortNumber(report.idleCores * 100)} % of one core`,
    `machine: ${machine.cpuCount} × ${machine.cpuModel}, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB, ` +
      `${machine.system}, Node ${machine.node}, load before ${machine.loadBefore.join(' ')}`,
    calibrationLines(calibration),
    `commit: ${commit === null ? 'none' : commit.hash.slice(0, 12)}${modified}`,
  ].join('\n');
}

/** What the machine does in one line. */
export function calibrationLine(calibration: Calibration): string {
  const { sha256MbPerSecond, jsonParseMbPerSecond, fsyncsPerSecond } = calibration;
  return (
    `SHA-256 ${shortNumber(sha256MbPerSecond)} MB/s, JSON.parse ${shortNumber(jsonParseMbPerSecond)} MB/s, ` +
    `${shortNumber(fsyncsPerSecond)} fsync/s`
  );
}

export function calibrationLines({ before, after }: Calibrations): string {
  return `calibration before: ${calibrationLine(before)}\ncalibration after:  ${calibrationLine(after)}`;
}

function mebibytes(bytes: number): string {
  return String(Math.round(bytes / 2 ** 20));
}

/** A table without colours. */
export function plainTable(head: string[]): InstanceType<typeof Table> {
  return new Table({ head, style: { head: [], border: [], compact: true } });
}
