import { join } from 'node:path';
import type { FigureName } from '../report/figures';
import { withStack } from '../stack/with-stack';
import { backlogNewSets } from './backlog-new-sets';
import type { RunMeasurement } from './measure-run';
import { openContext } from './open-context';
import type { OwnScenario } from './own-scenario';
import { runScenario } from './run-scenario';

const steps = [
  { scanners: 1, figure: 'processed_per_second_1_scanner' },
  { scanners: 2, figure: 'processed_per_second_2_scanners' },
  { scanners: 4, figure: 'processed_per_second_4_scanners' },
] as const satisfies readonly { scanners: number; figure: FigureName }[];
const mostScanners = Math.max(...steps.map(({ scanners }) => scanners));

/** The same backlog before one, two and four scanners, each on a new stack: more of them must not make it slower. */
export const scannerScaling: OwnScenario = {
  ...backlogNewSets,
  // Each of the most scanners compiles its code as the single one does elsewhere; each stack has the same.
  warmUpUploads: mostScanners * backlogNewSets.warmUpUploads,
  name: 'scanner-scaling',
  description: 'backlog-new-sets with one, two and four scanners',
  async measure({ folder, advisories, base, signal, say }, repetition) {
    const byStep: RunMeasurement[][] = [];
    for (const { scanners } of steps) {
      const dataDir = join(folder, String(scanners));
      const options = { dataDir, advisorySource: advisories.source, scanners, signal, say };
      const runs = await withStack(options, async (stack, api) =>
        runScenario(backlogNewSets, await openContext(stack, { api, base, signal }), repetition),
      );
      byStep.push(runs);
    }
    return Array.from({ length: repetition.runs }, (_, run) => {
      const rates = byStep.map((runs) => runs[run]?.figures.processed_per_second ?? 0);
      const [one = 0, ...more] = rates;
      return {
        uploads: repetition.size.uploads,
        processes: [],
        figures: {
          ...Object.fromEntries(steps.map(({ figure }, step) => [figure, rates[step]])),
          slowest_to_one_scanner: Math.min(...more) / one,
        },
      };
    });
  },
};
