import { join } from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { makeDatasetFeed } from '../dataset/dataset-feed';
import { waitUntilQuiet } from '../measure/quiet';
import type { BenchDeps } from '../run-bench';
import { connectDatabase } from '../stack/stack-database';
import { withStack } from '../stack/with-stack';
import { vulnerableModules } from './deletes-document';
import { measureDeletes, type DeletesArguments, type MeasuredDelete } from './measure-deletes';

/** Starts a stack in a temporary folder, fills it, and measures deletes of what is large. */
export function runDeletes(args: DeletesArguments, deps: BenchDeps): Promise<MeasuredDelete[]> {
  const { signal, say } = deps;
  return withTemporaryFolder('deletes', (folder) => {
    const feed = makeDatasetFeed(join(folder, 'feed'));
    for (const [n, module] of vulnerableModules(args.rowsPerService).entries()) {
      feed.publish({ id: `GO-2097-${String(n).padStart(5, '0')}`, module });
    }
    const dataDir = join(folder, 'data');
    const options = { dataDir, advisorySource: feed.folder, ...deps };
    return withStack(options, async (stack, api) => {
      // The API does not show the end of a purge.
      const mongo = await connectDatabase(dataDir);
      try {
        const deletions = mongo.db('bomtrail_catalog').collection<{ _id: string }>('deletions');
        return await measureDeletes(args, {
          api,
          signal,
          say,
          isPurged: async (id) => (await deletions.findOne({ _id: id })) === null,
          untilIdle: () => waitUntilQuiet(() => stack.processes(), signal),
        });
      } finally {
        await mongo.close();
      }
    });
  });
}
