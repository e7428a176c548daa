import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDatasetFeed } from '../dataset/dataset-feed';
import { waitUntilQuiet } from '../measure/quiet';
import { connectDatabase } from '../stack/stack-database';
import { withStack } from '../stack/with-stack';
import { vulnerableModules } from './deletes-document';
import type { DeletesArguments } from './deletes-arguments';
import { measureDeletes, type MeasuredDelete } from './measure-deletes';

/** Starts a stack in a temporary folder, fills it, and measures deletes of what is large. */
export async function runDeletes(
  args: DeletesArguments,
  deps: { signal: AbortSignal; say: (line: string) => void },
): Promise<MeasuredDelete[]> {
  const { signal, say } = deps;
  const folder = mkdtempSync(join(tmpdir(), 'bomtrail-deletes-'));
  try {
    const feed = makeDatasetFeed(join(folder, 'feed'));
    for (const [n, module] of vulnerableModules(args.vulnerabilitiesPerService).entries()) {
      feed.publish({ id: `GO-2097-${String(n).padStart(5, '0')}`, module });
    }
    const dataDir = join(folder, 'data');
    return await withStack(
      { dataDir, advisorySource: feed.folder, ...deps },
      async (stack, api) => {
        // Only the end of a purge is not to be seen over the API.
        const mongo = await connectDatabase(dataDir);
        try {
          const deletions = mongo.db('bomtrail_catalog').collection<{ _id: string }>('deletions');
          return await measureDeletes(args, {
            ...{ api, signal, say },
            isPurged: async (id) => (await deletions.findOne({ _id: id })) === null,
            untilIdle: () => waitUntilQuiet(() => stack.processes(), signal),
          });
        } finally {
          await mongo.close();
        }
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
