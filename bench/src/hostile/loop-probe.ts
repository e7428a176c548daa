import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the gateway before its own code (`--require`): writes a line into the file that the
 * environment names whenever the event loop came late, with the CPU time of the main thread meanwhile.
 * The loop's own histogram cannot tell a blocked loop from a process that waits for a core.
 */
const everyMs = 10;
const reportAboveMs = 30;
const msPerTick = 10;

function mainThreadCpuMs(): number {
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

function watch(file: string): void {
  let [at, cpu] = [performance.now(), mainThreadCpuMs()];
  const check = (): void => {
    const lateMs = performance.now() - at - everyMs;
    const cpuNow = mainThreadCpuMs();
    if (lateMs > reportAboveMs) {
      appendFileSync(file, `${JSON.stringify({ at: Date.now(), lateMs, cpuMs: cpuNow - cpu })}\n`);
    }
    [at, cpu] = [performance.now(), cpuNow];
    setTimeout(check, everyMs).unref();
  };
  setTimeout(check, everyMs).unref();
}

const file = process.env['BENCH_LOOP_PROBE'];
const isGateway = /[\\/]gateway[\\/]/.test(process.argv[1] ?? '');
if (file !== undefined && isMainThread && isGateway) watch(file);
