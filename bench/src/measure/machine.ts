import { cpus, loadavg, platform, release, totalmem } from 'node:os';

/** On what the figures were measured. */
export interface Machine {
  cpuModel: string;
  cpuCount: number;
  memoryBytes: number;
  system: string;
  node: string;
  /** Load averages (1, 5, 15 minutes) before anything was started: other work on the machine shows here. */
  loadBefore: number[];
}

export function describeMachine(): Machine {
  return {
    cpuModel: cpus()[0]?.model ?? 'unknown',
    cpuCount: cpus().length,
    memoryBytes: totalmem(),
    system: `${platform()} ${release()}`,
    node: process.version,
    loadBefore: loadavg().map((load) => Math.round(load * 100) / 100),
  };
}
