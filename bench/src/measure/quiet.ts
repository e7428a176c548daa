import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage, totalCpuSeconds, type ProcessRef } from './process-usage';

/** Watchers and sweeps always use a little; above this the processes still work on something. */
const quietBelowCores = 0.2;
const windowMs = 500;
/** Then the measurement goes on anyway: what runs for longer is no left-over of the run before. */
const patienceMs = 20_000;

/** Waits until the processes together use next to no CPU. Gives whether they did within 20 s. */
export async function waitUntilQuiet(
  processes: () => readonly ProcessRef[],
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    if ((await coresUsed(processes(), { windowMs, signal })) < quietBelowCores) return true;
  }
  return false;
}

/** CPU-seconds per second that the processes use together during the next `windowMs`. */
export async function coresUsed(
  processes: readonly ProcessRef[],
  options: { windowMs: number; signal: AbortSignal },
): Promise<number> {
  const begin = performance.now();
  const before = totalCpuSeconds(await readUsage(processes));
  await sleep(options.windowMs, undefined, { signal: options.signal });
  const after = totalCpuSeconds(await readUsage(processes));
  return (after - before) / ((performance.now() - begin) / 1000);
}
