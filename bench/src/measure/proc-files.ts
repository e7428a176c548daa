import { BenchFailure } from '../bench-failure';

/** Linux counts CPU time for user space in hundredths of a second on every platform that Node runs on (USER_HZ). */
const ticksPerSecond = 100;

/**
 * User and system seconds of a process with all its threads, of the text of `/proc/<pid>/stat`
 * (proc(5): fields 14 and 15). The name in field 2 may itself hold blanks and parentheses.
 */
export function cpuSecondsOf(stat: string): number {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(/\s+/);
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (!Number.isFinite(ticks)) throw new BenchFailure('cannot read CPU time from /proc/<pid>/stat');
  return ticks / ticksPerSecond;
}

/** Resident memory now and at its peak in bytes, of the text of `/proc/<pid>/status` (`VmRSS`, `VmHWM`, in KiB). */
export function residentBytesOf(status: string): { rss: number; peak: number } {
  return { rss: sizeIn(status, 'VmRSS'), peak: sizeIn(status, 'VmHWM') };
}

/** Memory in bytes with shared pages in parts, of the text of `/proc/<pid>/smaps_rollup`. */
export function pssBytesOf(rollup: string): number {
  return sizeIn(rollup, 'Pss');
}

/** Bytes that a process has caused to be written to disk, of the text of `/proc/<pid>/io` (`write_bytes`). */
export function writtenBytesOf(io: string): number {
  const bytes = /^write_bytes: (\d+)$/m.exec(io)?.[1];
  if (bytes === undefined) throw new BenchFailure('/proc/<pid>/io has no write_bytes');
  return Number(bytes);
}

function sizeIn(status: string, field: string): number {
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kib === undefined) throw new BenchFailure(`/proc/<pid> has no ${field}`);
  return Number(kib) * 1024;
}
