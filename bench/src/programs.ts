import { deletesUsage, readDeletesArguments } from './deletes/deletes-arguments';
import { renderDeletes } from './deletes/deletes-table';
import { runDeletes } from './deletes/run-deletes';
import { datasetUsage, readDatasetArguments } from './dataset/dataset-arguments';
import { renderDataset } from './dataset/dataset-table';
import { runDataset } from './dataset/run-dataset';
import { feedLoadUsage, readFeedLoadArguments } from './feed-load/feed-load-arguments';
import { renderFeedLoad } from './feed-load/feed-load-table';
import { runFeedLoad } from './feed-load/run-feed-load';
import { hostileUsage, readHostileArguments } from './hostile/hostile-arguments';
import { runHostile } from './hostile/run-hostile';
import { listsUsage, readListsArguments } from './lists/lists-arguments';
import { renderLists } from './lists/lists-table';
import { runLists } from './lists/run-lists';
import { runMatching } from './matching/run-matching';
import type { BenchDeps } from './run-bench';
import { runVersions } from './versions/run-versions';
import { readVersionsArguments, versionsUsage } from './versions/versions-arguments';
import { renderVersions } from './versions/versions-table';

/** What is measured by a program of its own; gives the text to show. */
export type BenchProgram = (args: string[], deps: BenchDeps) => Promise<string>;

/** By the first argument of the command line. A new one is added here. */
export const programs: Readonly<Record<string, BenchProgram>> = {
  async dataset(args, deps) {
    const read = readDatasetArguments(args);
    return read === 'help' ? datasetUsage : renderDataset(await runDataset(read, deps));
  },
  async 'feed-load'(args, deps) {
    const read = readFeedLoadArguments(args);
    return read === 'help' ? feedLoadUsage : renderFeedLoad(await runFeedLoad(read, deps));
  },
  async deletes(args, deps) {
    const read = readDeletesArguments(args);
    return read === 'help' ? deletesUsage : renderDeletes(await runDeletes(read, deps));
  },
  async versions(args, deps) {
    const read = readVersionsArguments(args);
    return read === 'help' ? versionsUsage : renderVersions(await runVersions(read, deps));
  },
  async lists(args, deps) {
    const read = readListsArguments(args);
    return read === 'help' ? listsUsage : renderLists(await runLists(read, deps));
  },
  async hostile(args, deps) {
    const read = readHostileArguments(args);
    return read === 'help' ? hostileUsage : runHostile(read, deps);
  },
  matching: (_args, deps) => runMatching(deps),
};
