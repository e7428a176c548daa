import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPssBytes } from '../measure/process-usage';
import { waitUntilQuiet } from '../measure/quiet';
import type { BenchStack } from '../stack/bench-stack';
import { withStack } from '../stack/with-stack';
import type { OwnBench, OwnScenario } from './own-scenario';

/** Start-up work is over by then. */
const restMs = 3000;

/**
 * How long a start takes until `/readyz` says ready, on an empty data folder and again on the same one, and
 * what the started processes hold. With the built-in starter set, so that no load of advisories is in it.
 */
export const atRest: OwnScenario = {
  name: 'at-rest',
  description: 'start to ready on an empty folder and again; memory of the idle stack',
  size: { uploads: 1, clients: 1 },
  mostUploads: 1,
  maxClients: 1,
  warmUpUploads: 0,
  async measure(bench, { runs }) {
    const measured = [];
    for (let run = 0; run < runs; run += 1) {
      const dataDir = join(bench.folder, String(run));
      const [ready_ms_first] = await timeStart(bench, dataDir, () => Promise.resolve());
      const [ready_ms_again, pss_bytes] = await timeStart(bench, dataDir, async (stack) => {
        await waitUntilQuiet(() => stack.processes(), bench.signal);
        if (!bench.isSmoke) await sleep(restMs, undefined, { signal: bench.signal });
        return readPssBytes(stack.processes());
      });
      measured.push({
        uploads: 1,
        processes: [],
        figures: { ready_ms_first, ready_ms_again, pss_bytes },
      });
    }
    return measured;
  },
};

async function timeStart<Result>(
  { signal, say }: OwnBench,
  dataDir: string,
  work: (stack: BenchStack) => Promise<Result>,
): Promise<[readyMs: number, Result]> {
  const begin = performance.now();
  return withStack({ dataDir, advisorySource: 'starter', signal, say }, async (stack) => {
    const readyMs = performance.now() - begin;
    return [readyMs, await work(stack)];
  });
}
