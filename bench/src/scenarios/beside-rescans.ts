import { join } from 'node:path';
import { makeDatasetFeed, type DatasetFeed } from '../dataset/dataset-feed';
import { BenchFailure } from '../bench-failure';
import { pollUntil } from '../load/poll';
import { percentile } from '../measure/statistics';
import { uploadToServices, widespreadEcosystem, widespreadPackage } from '../rescans/widespread';
import { connectDatabase } from '../stack/stack-database';
import { withStack } from '../stack/with-stack';
import { newVersionsPerSet } from './backlog-new-sets';
import { findingsReadable } from './findings-readable';
import { measureRun, type RunMeasurement } from './measure-run';
import { newProject } from './new-project';
import { openContext } from './open-context';
import type { OwnScenario } from './own-scenario';
import type { ScenarioContext } from './scenario-context';

/** Services that hold the package, and re-scans that must still be pending when a measured upload is over. */
const usual = { serviceCount: 7_000, queued: 5_000 };
const smoke = { serviceCount: 60, queued: 1 };
/** Changes above which it is no use to try for more uploads beside so many. */
const mostChanges = 20;
const changeMs = 5 * 60_000;
const pollMs = 20;

interface RescanContext {
  context: ScenarioContext;
  feed: DatasetFeed;
  /** Re-scans that the catalog owes. */
  pendingRescans: () => Promise<number>;
  serviceCount: number;
  queued: number;
  say: (line: string) => void;
}

/**
 * How long one upload takes until its findings can be read: on the idle stack, and while an advisory
 * change has at least 5,000 services wait for their re-scan.
 */
export const besideRescans: OwnScenario = {
  name: 'beside-rescans',
  description: 'single uploads, idle and beside 5,000 re-scans that are queued',
  size: { uploads: 60, clients: 1 },
  maxClients: 1,
  warmUpUploads: 200,
  async measure({ folder, advisories, base, isSmoke, signal, say }, { size, warmUpUploads, runs }) {
    const feed = makeDatasetFeed(advisories.folder, widespreadEcosystem);
    feed.publish({ id: 'JLSEC-2089-0000', module: 'Elsewhere' });
    const dataDir = join(folder, 'data');
    const options = {
      dataDir,
      advisorySource: advisories.folder,
      signal,
      say,
      env: { BOMTRAIL_FEED_INTERVAL_SECONDS: '1' },
    };
    const { serviceCount, queued } = isSmoke ? smoke : usual;
    return withStack(options, async (stack, api) => {
      const context = await openContext(stack, { api, base, signal });
      const database = await connectDatabase(dataDir);
      try {
        const sboms = database.db('bomtrail_catalog').collection('sboms');
        const pendingRescans = () => sboms.countDocuments({ 'rescan.retry_at': { $exists: true } });
        const rescans = { context, feed, pendingRescans, serviceCount, queued, say };
        say(`uploading to ${serviceCount} services that hold the package`);
        await uploadToServices(serviceCount, { api, signal });
        await context.untilIdle();
        await idle(rescans, warmUpUploads);
        // The code of a change is compiled as it is used, too.
        await change(rescans, 'JLSEC-2091-0000', () => Promise.resolve());
        const measured: RunMeasurement[] = [];
        for (let run = 1; run <= runs; run += 1) {
          measured.push(await measureBeside(rescans, size.uploads, run));
        }
        return measured;
      } finally {
        await database.close();
      }
    });
  },
};

async function measureBeside(
  rescans: RescanContext,
  uploads: number,
  run: number,
): Promise<RunMeasurement> {
  const { context, pendingRescans, queued, serviceCount, say } = rescans;
  await context.untilIdle();
  const idleMs = await idle(rescans, uploads);
  const besideMs: number[] = [];
  let fewest = Number.POSITIVE_INFINITY;
  let changes = 0;
  let changing = 0;
  const measured = await measureRun(context, uploads, async () => {
    const projectId = await newProject(context.api, 'Beside re-scans');
    while (besideMs.length < uploads) {
      if (++changes > mostChanges)
        throw new BenchFailure(`only ${besideMs.length} uploads ended beside ${queued} re-scans`);
      changing += await change(rescans, `JLSEC-${2091 + run}-${changes}`, async () => {
        while (besideMs.length < uploads) {
          const ms = await single(context, projectId);
          const left = await pendingRescans();
          if (left < queued) return;
          besideMs.push(ms);
          fewest = Math.min(fewest, left);
        }
      });
      say(`${besideMs.length} uploads beside at least ${queued} of ${serviceCount} re-scans`);
    }
    return {
      findings_ms_p50: percentile(besideMs, 50),
      findings_ms_p95: percentile(besideMs, 95),
    };
  });
  const idleP95 = percentile(idleMs, 95);
  return {
    ...measured,
    figures: {
      idle_findings_ms_p50: percentile(idleMs, 50),
      idle_findings_ms_p95: idleP95,
      ...measured.figures,
      findings_p95_to_idle: percentile(besideMs, 95) / idleP95,
      fewest_rescans_queued: fewest,
      rescans_per_second: (2 * changes * serviceCount) / changing,
    },
  };
}

async function idle({ context }: RescanContext, uploads: number): Promise<number[]> {
  const projectId = await newProject(context.api, 'Beside nothing');
  const ms: number[] = [];
  while (ms.length < uploads) ms.push(await single(context, projectId));
  return ms;
}

async function single(context: ScenarioContext, projectId: string): Promise<number> {
  const document = context.sboms.newVersions(newVersionsPerSet);
  const serviceName = `service-${performance.now()}`;
  const begin = performance.now();
  const id = await context.api.upload({ projectId, serviceName, document });
  await findingsReadable(context, id);
  return performance.now() - begin;
}

/**
 * Publishes an advisory about the package, does the work while re-scans are pending, waits until all of the
 * lists show it, and withdraws it in the same way. Gives the seconds from each change to its end.
 */
async function change(
  { context, feed, pendingRescans, serviceCount, queued }: RescanContext,
  id: string,
  beside: () => Promise<void>,
): Promise<number> {
  const { api, signal } = context;
  let seconds = 0;
  for (const withdrawn of [false, true]) {
    const rows = withdrawn ? 0 : serviceCount;
    feed.publish({ id, module: widespreadPackage, withdrawn });
    let left = 0;
    await pollUntil(async () => ((left = await pendingRescans()) >= queued ? true : undefined), {
      pauseMs: pollMs,
      timeoutMs: changeMs,
      signal,
      waitingFor: () => `only ${left} re-scans are pending, not ${queued}`,
    });
    const begin = performance.now();
    await beside();
    await pollUntil(async () => ((await pendingRescans()) === 0 ? true : undefined), {
      pauseMs: pollMs,
      timeoutMs: changeMs,
      signal,
      waitingFor: () => 're-scans are still pending',
    });
    seconds += (performance.now() - begin) / 1000;
    const open = await api.countOpen(id);
    if (open !== rows) throw new BenchFailure(`wrong result: ${open} rows of ${id}, not ${rows}`);
  }
  return seconds;
}
