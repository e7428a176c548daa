import { join } from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { makeDatasetFeed } from '../dataset/dataset-feed';
import { vulnerableModules } from '../deletes/deletes-document';
import { waitUntilQuiet } from '../measure/quiet';
import type { BenchDeps } from '../run-bench';
import { withStack } from '../stack/with-stack';
import { measureBulk, type BulkArguments, type MeasuredBulk } from './measure-bulk';

/** Starts a stack in a temporary folder, fills it, and measures one call that decides about everything. */
export function runBulk(args: BulkArguments, deps: BenchDeps): Promise<MeasuredBulk> {
  const { signal, say } = deps;
  return withTemporaryFolder('bulk-decisions', (folder) => {
    const feed = makeDatasetFeed(join(folder, 'feed'));
    for (const [n, module] of vulnerableModules(args.rowsPerService).entries()) {
      feed.publish({ id: `GO-2097-${String(n).padStart(5, '0')}`, module });
    }
    const options = { dataDir: join(folder, 'data'), advisorySource: feed.folder, ...deps };
    return withStack(options, (stack, api) =>
      measureBulk(args, {
        api,
        signal,
        say,
        killReconciler: () => stack.kill('reconciler'),
        untilIdle: () => waitUntilQuiet(() => stack.processes(), signal),
      }),
    );
  });
}
