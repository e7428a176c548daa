import { readFile, writeFile } from 'node:fs/promises';
import { BenchFailure } from '../bench-failure';
import { cpuSecondsOf, pssBytesOf, residentBytesOf, writtenBytesOf } from './proc-files';

export interface ProcessRef {
  name: string;
  pid: number;
}

/** What one process has used since its start, and what it holds now. */
export interface ProcessUsage extends ProcessRef {
  cpuSeconds: number;
  rssBytes: number;
  peakRssBytes: number;
  /** Handed to the disk: whole pages of the page cache, the journal and data files among them. */
  writtenBytes: number;
}

/** What one process has used between two readings. */
export interface ProcessCost {
  name: string;
  cpuSeconds: number;
  rssBytes: number;
  peakRssBytes: number;
  /** Handed to the disk: whole pages of the page cache, the journal and data files among them. */
  writtenBytes: number;
}

/** Reads /proc (Linux only). Fails with a `BenchFailure` when one of the processes is gone. */
export async function readUsage(processes: readonly ProcessRef[]): Promise<ProcessUsage[]> {
  return Promise.all(
    processes.map(async ({ name, pid }) => {
      const read = (file: string): Promise<string> => readProc(name, `/proc/${pid}/${file}`);
      const [stat, status, io] = await Promise.all([read('stat'), read('status'), read('io')]);
      const { rss, peak } = residentBytesOf(status);
      return {
        name,
        pid,
        cpuSeconds: cpuSecondsOf(stat),
        rssBytes: rss,
        peakRssBytes: peak,
        writtenBytes: writtenBytesOf(io),
      };
    }),
  );
}

/**
 * Lets the peaks of resident memory begin again (proc(5), clear_refs). Where the kernel does not allow it,
 * they stay those since the start: never less than the truth.
 */
export async function forgetPeaks(processes: readonly ProcessRef[]): Promise<void> {
  const forget = ({ pid }: ProcessRef) => writeFile(`/proc/${pid}/clear_refs`, '5');
  await Promise.allSettled(processes.map(forget));
}

/** The cost of the time between two readings. Fails when a process is another one now: it was restarted. */
export function costBetween(before: ProcessUsage[], after: ProcessUsage[]): ProcessCost[] {
  return after.map((now) => {
    const then = before.find(({ name }) => name === now.name);
    if (then?.pid !== now.pid) throw new BenchFailure(`${now.name} was restarted while measuring`);
    const { name, rssBytes, peakRssBytes } = now;
    return {
      name,
      cpuSeconds: now.cpuSeconds - then.cpuSeconds,
      rssBytes,
      peakRssBytes,
      writtenBytes: now.writtenBytes - then.writtenBytes,
    };
  });
}

/** Proportional set sizes together: shared pages count once. */
export async function readPssBytes(processes: readonly ProcessRef[]): Promise<number> {
  const sizes = await Promise.all(
    processes.map(async ({ name, pid }) =>
      pssBytesOf(await readProc(name, `/proc/${pid}/smaps_rollup`)),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** CPU-seconds of a list of readings or costs together. */
export function totalCpuSeconds(usages: readonly { cpuSeconds: number }[]): number {
  return usages.reduce((sum, usage) => sum + usage.cpuSeconds, 0);
}

async function readProc(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new BenchFailure(`${name} is gone, or this is not Linux: cannot read ${file}`);
  }
}
