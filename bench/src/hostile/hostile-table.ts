import { plainTable } from '../report/tables';
import { isLoopBlocked, limits, type HostileRow } from './judge';

const mebibyte = 1024 ** 2;

/** The rows for a person at a terminal, and below them what must not be. */
export function renderHostile(rows: readonly HostileRow[]): string {
  const table = plainTable([
    'input',
    'answer',
    'ms',
    'scans',
    'ms',
    'peak MiB',
    'loop late ms',
    'on CPU ms',
  ]);
  for (const row of rows) {
    table.push([
      row.name,
      counted(row.outcomes),
      Math.round(row.milliseconds),
      counted(row.scans),
      Object.keys(row.scans).length === 0 ? '' : Math.round(row.scanMilliseconds),
      `${Math.round(row.peakBytes / mebibyte)} ${row.peakProcess}`,
      Math.round(row.loop.lateMs),
      Math.round(row.loop.cpuMs),
    ]);
  }
  const notes = rows.flatMap(({ name, notes }) => notes.map((one) => `${name}: ${one}`));
  const problems = rows.flatMap(({ name, problems }) => problems.map((one) => `${name}: ${one}`));
  return [
    table.toString(),
    ...notes,
    '',
    problems.length === 0 ? 'As expected, all of them.' : problems.join('\n'),
    loopSentence(rows),
  ].join('\n');
}

function loopSentence(rows: readonly HostileRow[]): string {
  const aim = `The aim that the gateway's event loop is never blocked for more than ${limits.loopBlockedMs} ms`;
  const blocked = rows.filter(isLoopBlocked);
  if (blocked.length === 0) return `${aim} is met.`;
  const worst = blocked.map(({ name, loop }) => `${name} ${Math.round(loop.cpuMs)} ms`);
  return `${aim} is not met: ${worst.join(', ')}.`;
}

function counted(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return entries.map(([text, count]) => (count === 1 ? text : `${count} × ${text}`)).join('\n');
}
