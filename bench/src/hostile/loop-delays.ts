import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../paths';

/** The worst in some time, in milliseconds. */
export interface LoopDelay {
  /** How much too late the event loop came, whatever the reason. */
  lateMs: number;
  /** CPU time of the main thread within one such delay, in steps of 10 ms: so long the loop was blocked. */
  cpuMs: number;
}

/** Environment by which the gateway of a stack writes its delays into a file. */
export function probeEnvironment(file: string): Record<string, string> {
  const probe = join(repositoryRoot(), 'bench', 'dist', 'hostile', 'loop-probe.js');
  const options = `${process.env['NODE_OPTIONS'] ?? ''} --require "${probe}"`.trim();
  return { NODE_OPTIONS: options, BENCH_LOOP_PROBE: file };
}

/** What was written since this moment (`Date.now()`). */
export function worstDelaySince(file: string, since: number): LoopDelay {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const worst = { lateMs: 0, cpuMs: 0 };
  for (const line of lines) {
    const { at, lateMs, cpuMs } = JSON.parse(line) as LoopDelay & { at: number };
    if (at < since) continue;
    worst.lateMs = Math.max(worst.lateMs, lateMs);
    worst.cpuMs = Math.max(worst.cpuMs, cpuMs);
  }
  return worst;
}
