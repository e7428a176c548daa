import {
  costBetween,
  forgetPeaks,
  readUsage,
  totalCpuSeconds,
  type ProcessCost,
} from '../measure/process-usage';
import type { Figures } from '../report/figures';
import type { ScenarioContext } from './scenario-context';

export interface RunMeasurement {
  uploads: number;
  figures: Figures;
  /** CPU-seconds and bytes of the whole run by process; memory at its end and at its most. */
  processes: ProcessCost[];
}

/**
 * Runs `work` on a quiet stack and adds what it cost: CPU until the processes are quiet again, so that
 * work put off until after the answer counts too. The CPU of this process (making requests, reading
 * answers) has a figure of its own and is in no other.
 */
export async function measureRun(
  context: Pick<ScenarioContext, 'processes' | 'storedBytes' | 'untilIdle'>,
  uploads: number,
  work: () => Promise<Figures>,
): Promise<RunMeasurement> {
  await context.untilIdle();
  const storedBefore = await context.storedBytes();
  await forgetPeaks(context.processes());
  const before = await readUsage(context.processes());
  const clientBefore = process.cpuUsage();
  const figures = await work();
  const client = process.cpuUsage(clientBefore);
  await context.untilIdle();
  const processes = costBetween(before, await readUsage(context.processes()));
  return {
    uploads,
    figures: {
      ...figures,
      cpu_seconds_per_sbom: totalCpuSeconds(processes) / uploads,
      client_cpu_seconds_per_sbom: (client.user + client.system) / 1e6 / uploads,
      ...writtenFigures(processes, uploads),
      stored_bytes_per_sbom: ((await context.storedBytes()) - storedBefore) / uploads,
      peak_rss_bytes: Math.max(0, ...processes.map(({ peakRssBytes }) => peakRssBytes)),
    },
    processes,
  };
}

function writtenFigures(processes: readonly ProcessCost[], uploads: number): Figures {
  const written = (wanted: string): number =>
    (processes.find(({ name }) => name === wanted)?.writtenBytes ?? 0) / uploads;
  return {
    mongod_written_bytes_per_sbom: written('mongod'),
    nats_written_bytes_per_sbom: written('nats-server'),
  };
}
