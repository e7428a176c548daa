import Table from 'cli-table3';
import type { Calibration } from '../measure/calibration';
import type { Spread } from '../measure/statistics';
import type { BenchReport } from './bench-report';
import { figureNames, figureTitles } from './figures';

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
  const used = figureNames.filter((name) =>
    report.scenarios.some(({ summary }) => summary[name] !== undefined),
  );
  const table = plainTable(['scenario', ...report.scenarios.map(({ name }) => name)]);
  table.push([
    'uploads × clients',
    ...report.scenarios.map(({ size }) => `${size.uploads} × ${size.clients}`),
  ]);
  for (const name of used) {
    const cells = report.scenarios.map(({ summary }) => spreadCell(summary[name]));
    table.push([figureTitles[name], ...cells]);
  }
  return table.toString();
}

function processTable(report: BenchReport): string {
  const names = report.scenarios[0]?.processes.map(({ name }) => name) ?? [];
  const table = plainTable([
    'process',
    ...report.scenarios.map(({ name }) => `${name}\nCPU-ms/SBOM | RSS MiB (peak)`),
  ]);
  for (const name of names) {
    const cells = report.scenarios.map(({ processes }) => {
      const found = processes.find((entry) => entry.name === name);
      if (found === undefined) return '';
      const cpu = shortNumber(found.cpuSecondsPerSbom.median * 1000);
      return `${cpu} | ${mebibytes(found.rssBytes.median)} (${mebibytes(found.peakRssBytes)})`;
    });
    table.push([name, ...cells]);
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
    `calibration before: ${calibrationLine(calibration.before)}`,
    `calibration after:  ${calibrationLine(calibration.after)}`,
    `commit: ${commit === null ? 'none' : commit.hash.slice(0, 12)}${modified}`,
  ].join('\n');
}

function calibrationLine(calibration: Calibration): string {
  const { sha256MbPerSecond, jsonParseMbPerSecond, fsyncsPerSecond } = calibration;
  return (
    `SHA-256 ${shortNumber(sha256MbPerSecond)} MB/s, JSON.parse ${shortNumber(jsonParseMbPerSecond)} MB/s, ` +
    `${shortNumber(fsyncsPerSecond)} fsync/s`
  );
}

function spreadCell(spread: Spread | undefined): string {
  if (spread === undefined) return '';
  if (spread.min === spread.max) return shortNumber(spread.median);
  return `${shortNumber(spread.min)}  ${shortNumber(spread.median)}  ${shortNumber(spread.max)}`;
}

function mebibytes(bytes: number): string {
  return String(Math.round(bytes / 2 ** 20));
}

function plainTable(head: string[]): InstanceType<typeof Table> {
  return new Table({ head, style: { head: [], border: [] } });
}
