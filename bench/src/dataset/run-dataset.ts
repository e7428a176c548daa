import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calibrated, inFolder } from '../measure/in-folder';
import { waitUntilQuiet } from '../measure/quiet';
import type { BenchDeps } from '../run-bench';
import { withStack } from '../stack/with-stack';
import { buildDataset } from './build-dataset';
import { fillDatasetFeed, makeDatasetFeed } from './dataset-feed';
import { planDataset } from './dataset-plan';
import { measureDataset, type DatasetReport } from './measure-dataset';

export interface DatasetArguments {
  sboms: number;
  /** Folder in which a built dataset is stored for reuse; undefined: a temporary one. */
  keep?: string;
}

/** Builds a dataset or reuses a stored one, and measures the cost of advisory changes. */
export function runDataset(args: DatasetArguments, deps: BenchDeps): Promise<DatasetReport> {
  return inFolder({ name: 'dataset', ...args }, (folder) =>
    calibrated(folder, () => measureIn(folder, args, deps)),
  );
}

async function measureIn(
  folder: string,
  args: DatasetArguments,
  deps: BenchDeps,
): Promise<Omit<DatasetReport, 'calibration'>> {
  const { signal, say } = deps;
  const built = join(folder, 'dataset-is-built');
  const feed = makeDatasetFeed(join(folder, 'feed'));
  if (!existsSync(built)) fillDatasetFeed(feed);
  const options = {
    dataDir: join(folder, 'data'),
    advisorySource: feed.folder,
    env: { BOMTRAIL_FEED_INTERVAL_SECONDS: '1' },
    ...deps,
  };
  return withStack(options, async (stack, api) => {
    const untilIdle = (): Promise<boolean> => waitUntilQuiet(() => stack.processes(), signal);
    const plan = planDataset(args.sboms);
    if (!existsSync(built)) {
      const { sboms, seconds } = await buildDataset(plan, { api, signal, say });
      say(`${sboms} SBOMs uploaded in ${Math.round(seconds)} s`);
      // Duplicate requests of the burst are still queued.
      while (!(await untilIdle())) say('the stack still works on the uploads');
      writeFileSync(built, `${sboms} SBOMs in ${seconds} s\n`);
    }
    return measureDataset(plan, { api, stack, untilIdle, signal, say, feed });
  });
}
