import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDatasetFeed } from '../dataset/dataset-feed';
import type { Api } from '../load/api';
import { inFolder } from '../measure/in-folder';
import { waitUntilQuiet } from '../measure/quiet';
import type { BenchDeps } from '../run-bench';
import type { BenchStack } from '../stack/bench-stack';
import { withStack } from '../stack/with-stack';
import {
  fillService,
  measureVersions,
  shortVersions,
  type VersionsContext,
  type VersionsReport,
} from './measure-versions';
import { seedVersions } from './seed-versions';
import { vulnerableModules } from './version-document';

export interface VersionsArguments {
  /** Versions of the long service before the measurement. */
  versions: number;
  /** Measured uploads of each kind to each service. */
  uploads: number;
  /** Folder in which the services are stored for reuse; undefined: a temporary one. */
  keep?: string;
}

/** What is kept of the services that were made. */
interface Made {
  projectId: string;
  next: { short: number; long: number };
}

/** Versions that are really uploaded; they all hold the same vulnerable modules, and so do the further ones. */
const uploadedVersions = 40;

/** Makes one service with few versions and one with many, or takes those that are kept, and compares them. */
export function runVersions(args: VersionsArguments, deps: BenchDeps): Promise<VersionsReport> {
  return inFolder({ name: 'versions', ...args }, (folder) => measureIn(folder, args, deps));
}

async function measureIn(
  folder: string,
  args: VersionsArguments,
  deps: BenchDeps,
): Promise<VersionsReport> {
  const { say } = deps;
  const file = join(folder, 'services.json');
  const dataDir = join(folder, 'data');
  const feed = makeDatasetFeed(join(folder, 'feed'));
  const env = { BOMTRAIL_FEED_INTERVAL_SECONDS: '1' };
  const publish = (id: string, module: string): void => feed.publish({ id, module });
  const onStack = <Result>(work: (stack: BenchStack, api: Api) => Promise<Result>) =>
    withStack({ dataDir, advisorySource: feed.folder, env, ...deps }, work);
  if (!existsSync(file)) {
    for (const [n, module] of vulnerableModules().entries()) {
      publish(`GO-2096-${String(n).padStart(4, '0')}`, module);
    }
    const made = await onStack(async (stack, api): Promise<Made> => {
      const projectId = await api.createProject('Versions');
      const context: VersionsContext = {
        api,
        publish,
        projectId,
        ...deps,
        untilIdle: () => waitUntilQuiet(() => stack.processes(), deps.signal),
      };
      const long = Math.min(args.versions, uploadedVersions);
      await fillService(context, 'short', { from: 0, to: shortVersions });
      await fillService(context, 'long', { from: 0, to: long });
      return { projectId, next: { short: shortVersions, long } };
    });
    writeFileSync(file, JSON.stringify(made));
  }
  const made = JSON.parse(readFileSync(file, 'utf8')) as Made;
  if (made.next.long < args.versions) {
    const { projectId } = made;
    say(`versions ${made.next.long} to ${args.versions} of the long service are stored directly`);
    await seedVersions(dataDir, { projectId, name: 'long', to: args.versions }, say);
    made.next.long = args.versions;
    writeFileSync(file, JSON.stringify(made));
  }
  return onStack(async (stack, api) => {
    const untilIdle = (): Promise<boolean> => waitUntilQuiet(() => stack.processes(), deps.signal);
    const context: VersionsContext = {
      api,
      publish,
      projectId: made.projectId,
      untilIdle,
      ...deps,
    };
    if (!(await untilIdle())) say('the stack still works on something');
    return { versions: made.next, ...(await measureVersions(context, made.next, args.uploads)) };
  });
}
