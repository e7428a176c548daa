import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calibrate } from '../measure/calibration';
import { waitUntilQuiet } from '../measure/quiet';
import { withStack } from '../stack/with-stack';
import { buildDataset } from './build-dataset';
import type { DatasetArguments } from './dataset-arguments';
import { fillDatasetFeed, makeDatasetFeed } from './dataset-feed';
import { planDataset } from './dataset-plan';
import { measureDataset, type DatasetReport } from './measure-dataset';

export interface DatasetDeps {
  signal: AbortSignal;
  say: (line: string) => void;
}

/** Builds a dataset or reuses a stored one, and measures the cost of advisory changes. */
export async function runDataset(
  args: DatasetArguments,
  deps: DatasetDeps,
): Promise<DatasetReport> {
  const folder = args.keep ?? mkdtempSync(join(tmpdir(), 'bomtrail-dataset-'));
  mkdirSync(folder, { recursive: true });
  try {
    const before = calibrate(folder);
    const report = await measureIn(folder, args, deps);
    return { ...report, calibration: { before, after: calibrate(folder) } };
  } finally {
    if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(
  folder: string,
  args: DatasetArguments,
  deps: DatasetDeps,
): Promise<Omit<DatasetReport, 'calibration'>> {
  const { signal, say } = deps;
  const built = join(folder, 'dataset-is-built');
  const feed = makeDatasetFeed(join(folder, 'feed'));
  if (!existsSync(built)) fillDatasetFeed(feed);
  const options = {
    ...{ dataDir: join(folder, 'data'), advisorySource: feed.folder, ...deps },
    env: { BOMTRAIL_FEED_INTERVAL_SECONDS: '1' },
  };
  return withStack(options, async (stack, api) => {
    const untilIdle = (): Promise<boolean> => waitUntilQuiet(() => stack.processes(), signal);
    const plan = planDataset(args.sboms);
    if (!existsSync(built)) {
      const { sboms, seconds } = await buildDataset(plan, { api, signal, say });
      say(`${sboms} SBOMs uploaded in ${Math.round(seconds)} s`);
      // What was asked for twice in the rush is still in the queues.
      while (!(await untilIdle())) say('the stack still works on what was uploaded');
      writeFileSync(built, `${sboms} SBOMs in ${seconds} s\n`);
    }
    return measureDataset(plan, { api, stack, untilIdle, signal, say, feed });
  });
}
