import { Option } from 'commander';
import { renderBulk } from './bulk-decisions/bulk-table';
import { runBulk } from './bulk-decisions/run-bulk';
import { runCsv } from './csv/run-csv';
import { renderDeletes } from './deletes/deletes-table';
import { runDeletes } from './deletes/run-deletes';
import { renderDataset } from './dataset/dataset-table';
import { runDataset } from './dataset/run-dataset';
import { renderFeedLoad } from './feed-load/feed-load-table';
import { runFeedLoad } from './feed-load/run-feed-load';
import { runHostile } from './hostile/run-hostile';
import { renderLists } from './lists/lists-table';
import { runLists } from './lists/run-lists';
import { runMatching } from './matching/run-matching';
import { listOf, numberOption, readOptions, wholeNumber } from './read-options';
import type { BenchDeps } from './run-bench';
import { runRiskDays } from './risk-days/run-risk-days';
import { runPage } from './page/run-page';
import { runVersions } from './versions/run-versions';
import { renderVersions } from './versions/versions-table';

/** What is measured by a program of its own. */
export interface BenchProgram<Args extends object = object> {
  options: readonly Option[];
  /** Returns the text to print. */
  run(args: Args, deps: BenchDeps): Promise<string>;
}

const keep = new Option('--keep <folder>', 'fill this folder, or reuse what is in it');
const json = new Option('--json <file>', 'write all figures to this file');
const mostSeed = 2 ** 32 - 1;

/** By the first argument of the command line. A new one is added here. */
export const programs = {
  dataset: program({
    options: [numberOption('--sboms <n>', 'SBOMs of the dataset', [400, 100_000, 20_000]), keep],
    run: async (args: Parameters<typeof runDataset>[0], deps) =>
      renderDataset(await runDataset(args, deps)),
  }),
  'feed-load': program({
    options: [numberOption('--records <n>', 'generated records', [1000, 2_000_000, 500_000])],
    run: async (args: Parameters<typeof runFeedLoad>[0], deps) =>
      renderFeedLoad(await runFeedLoad(args, deps)),
  }),
  deletes: program({
    options: [
      numberOption('--rows <n>', 'tracked vulnerabilities of the project', [200, 2e6, 100_000]),
      numberOption('--rows-per-service <n>', 'of each of its services', [100, 10_000, 1000]),
      numberOption('--seconds <n>', 'for which reads are measured before a delete', [3, 600, 20]),
    ],
    run: async (args: Parameters<typeof runDeletes>[0], deps) =>
      renderDeletes(await runDeletes(args, deps)),
  }),
  'bulk-decisions': program({
    options: [
      numberOption('--rows <n>', 'vulnerabilities that one call decides about', [200, 2e5, 1e5]),
      numberOption('--rows-per-service <n>', 'of each service', [100, 10_000, 1000]),
      numberOption('--seconds <n>', 'for which uploads are measured idle', [3, 600, 20]),
    ],
    run: async (args: Parameters<typeof runBulk>[0], deps) => renderBulk(await runBulk(args, deps)),
  }),
  csv: program({
    options: [
      numberOption('--rows <n>', 'tracked vulnerabilities, all exported', [3000, 5e6, 1_180_000]),
      numberOption('--rows-per-service <n>', 'of each service', [10, 10_000, 590]),
      keep,
    ],
    run: runCsv,
  }),
  'risk-days': program({
    options: [
      numberOption('--rows <n>', 'tracked vulnerabilities; 85 % are open', [3000, 5e6, 1_180_000]),
      numberOption('--rows-per-service <n>', 'of each service', [10, 10_000, 590]),
      numberOption('--exploited <n>', 'that become known to be exploited', [50, 5000, 250]),
      keep,
    ],
    run: runRiskDays,
  }),
  page: program({
    options: [
      numberOption('--rows <n>', 'tracked vulnerabilities; 85 % are open', [3000, 5e6, 1_180_000]),
      numberOption('--rows-per-service <n>', 'of each service', [10, 10_000, 590]),
      numberOption('--samples <n>', 'of each step', [1, 1000, 10]),
      keep,
    ],
    run: runPage,
  }),
  versions: program({
    options: [
      numberOption('--versions <n>', 'versions of the long service', [20, 100_000, 10_000]),
      numberOption('--uploads <n>', 'of each kind to each service', [5, 1000, 100]),
      keep,
    ],
    run: async (args: Parameters<typeof runVersions>[0], deps) =>
      renderVersions(await runVersions(args, deps)),
  }),
  lists: program({
    options: [
      new Option('--sizes <n,n>', 'tracked vulnerabilities by database; a million takes 2 GB')
        .argParser(listOf(wholeNumber(1000, 20_000_000)))
        .default([10_000, 1_000_000]),
      numberOption('--samples <n>', 'requests of each kind to each database', [1, 10_000, 100]),
      numberOption('--minutes <n>', 'limit of all requests together', [1, 55, 20]),
      keep,
      json,
    ],
    run: async (args: Parameters<typeof runLists>[0], deps) =>
      renderLists(await runLists(args, deps)),
  }),
  hostile: program({
    options: [
      new Option('--seed <n>', 'of the mutants; printed')
        .argParser(wholeNumber(0, mostSeed))
        .default(Math.floor(Math.random() * mostSeed), 'random'),
      numberOption('--documents <n>', 'mutants of real documents', [0, 100_000, 1000]),
      new Option(
        '--only <a,b>',
        'only these inputs; fuzz, spdx3, vex: the mutants, fuzz-N, spdx3-N, vex-N: one of them',
      ).argParser(listOf(String)),
      json,
      new Option('--strict', "fail if the gateway's event loop was blocked").default(false),
    ],
    run: runHostile,
  }),
  matching: program({ options: [], run: (_args, deps) => runMatching(deps) }),
};

/** Whether a program has this name. */
export function isProgram(name: string | undefined): name is keyof typeof programs {
  return name !== undefined && Object.hasOwn(programs, name);
}

function program<Args extends object>({ options, run }: BenchProgram<Args>) {
  const read = (args: readonly string[]): Args => readOptions<Args>({ options }, args);
  return { read, run: (args: readonly string[], deps: BenchDeps) => run(read(args), deps) };
}
