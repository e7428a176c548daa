import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeEstateFeed } from '../estate/estate-feed';
import { createApi } from '../load/api';
import { pollUntil } from '../load/poll';
import { waitUntilQuiet } from '../measure/quiet';
import { startBenchStack } from '../stack/bench-stack';
import {
  fillService,
  measureVersions,
  serviceNames,
  shortVersions,
  type VersionsContext,
  type VersionsReport,
} from './measure-versions';
import { vulnerableModules } from './version-document';
import type { VersionsArguments } from './versions-arguments';

export interface VersionsDeps {
  signal: AbortSignal;
  say: (line: string) => void;
}

/** What is kept of the services that were made. */
interface Made {
  projectId: string;
  next: { short: number; long: number };
}

const connections = 40;
const readyTimeoutMs = 120_000;

/** Makes one service with few versions and one with many, or takes those that are kept, and compares them. */
export async function runVersions(
  args: VersionsArguments,
  deps: VersionsDeps,
): Promise<VersionsReport> {
  const folder = args.keep ?? mkdtempSync(join(tmpdir(), 'bomtrail-versions-'));
  mkdirSync(folder, { recursive: true });
  try {
    return await measureIn(folder, args, deps);
  } finally {
    if (args.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(
  folder: string,
  args: VersionsArguments,
  deps: VersionsDeps,
): Promise<VersionsReport> {
  const { signal, say } = deps;
  const file = join(folder, 'services.json');
  const feed = makeEstateFeed(join(folder, 'feed'));
  const publish = (id: string, module: string): void => feed.publish({ id, module });
  if (!existsSync(file)) {
    for (const [n, module] of vulnerableModules().entries()) {
      publish(`GO-2096-${String(n).padStart(4, '0')}`, module);
    }
  }
  const stack = await startBenchStack({
    ...{ dataDir: join(folder, 'data'), advisorySource: feed.folder, say },
    env: { BOMTRAIL_FEED_INTERVAL_SECONDS: '1' },
  });
  const api = createApi({ ...stack, connections, signal });
  try {
    await pollUntil(async () => ((await api.readiness()) === 'ready' ? true : undefined), {
      ...{ pauseMs: 100, timeoutMs: readyTimeoutMs, signal },
      waitingFor: () => 'the stack is not ready',
    });
    const made: Made = existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Made)
      : { projectId: await api.createProject('Versions'), next: { short: 0, long: 0 } };
    const context: VersionsContext = { api, publish, projectId: made.projectId, signal, say };
    let fillPerSecond: number | null = null;
    for (const service of serviceNames) {
      const to = service === 'short' ? shortVersions : args.versions;
      const from = made.next[service];
      if (from >= to) continue;
      const rate = await fillService(context, service, { from, to });
      if (service === 'long') fillPerSecond = rate;
      made.next[service] = to;
    }
    writeFileSync(file, JSON.stringify(made));
    const settle = (): Promise<boolean> => waitUntilQuiet(() => stack.processes(), signal);
    while (!(await settle())) say('the stack still works on what was uploaded');
    const versions = { ...made.next };
    const measured = await measureVersions(context, versions, args.uploads);
    return { versions, fillPerSecond, ...measured };
  } finally {
    api.close();
    say('stopping');
    await stack.stop();
  }
}
