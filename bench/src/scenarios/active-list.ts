import { join } from 'node:path';
import type { MongoClient } from 'mongodb';
import {
  readConcurrently,
  readPaced,
  type TimedRead,
  type PreparedQuery,
} from '../active-list/read-lists';
import { fillStack } from '../active-list/fill-stack';
import { prepareQueries } from '../active-list/prepare-queries';
import { pollUntil } from '../load/poll';
import { percentile } from '../measure/statistics';
import type { Figures } from '../report/figures';
import { connectDatabase } from '../stack/stack-database';
import { withStack } from '../stack/with-stack';
import { measureRun, type RunMeasurement } from './measure-run';
import { openContext } from './open-context';
import type { OwnScenario } from './own-scenario';
import type { ScenarioContext } from './scenario-context';
import type { RunSize } from './scenario';

/** Rows in all states, of which a million are listed; and services that are uploaded beside them. */
const usual = { rows: 1_180_000, services: 200, pacedSeconds: 30 };
const smoke = { rows: 3_000, services: 4, pacedSeconds: 1 };

/**
 * The first page of the active list where a million rows are listed, in every order, by clients that ask
 * once a second each (the aim), and by as many that ask again at once.
 */
export const activeList: OwnScenario = {
  name: 'active-list-1m',
  description: 'the first page of the active list, in every order, of a million rows',
  size: { uploads: 840, clients: 16 },
  warmUpUploads: 210,
  async measure({ folder, advisories, base, isSmoke, signal, say }, repetition) {
    const { rows, services, pacedSeconds } = isSmoke ? smoke : usual;
    const dataDir = join(folder, 'data');
    say(`storing ${rows} rows`);
    await fillStack({ dataDir, natsDir: join(folder, 'nats') }, { rows }, { signal, say });
    const options = { dataDir, advisorySource: advisories.source, signal, say };
    return withStack(options, async (stack, api) => {
      const context = await openContext(stack, { api, base, signal });
      await context.fleetOf(services);
      const database = await connectDatabase(dataDir);
      const queries = await untilScoresAreGone(database, signal)
        .then(() => prepareQueries(api, database))
        .finally(() => database.close());
      const { size, warmUpUploads, runs } = repetition;
      await readConcurrently(queries, { count: warmUpUploads, clients: size.clients });
      const measured: RunMeasurement[] = [];
      for (let run = 0; run < runs; run += 1) {
        measured.push(await measureLists(context, { size, queries, pacedSeconds, say }));
      }
      return measured;
    });
  },
};

/** Waits until the generated EPSS scores, which no feed of the stack has, are gone: answers change with them. */
function untilScoresAreGone(database: MongoClient, signal: AbortSignal): Promise<true> {
  const details = database.db('bomtrail_reconciler').collection('vulnerability_details');
  const areGone = async () => (await details.findOne({ epss_score: { $ne: null } })) === null;
  const waitingFor = () => 'vulnerabilities with the EPSS score that they were generated with';
  const limits = { pauseMs: 1000, timeoutMs: 300_000 };
  return pollUntil(async () => (await areGone()) || undefined, { ...limits, signal, waitingFor });
}

async function measureLists(
  context: ScenarioContext,
  load: {
    size: RunSize;
    queries: readonly PreparedQuery[];
    pacedSeconds: number;
    say: (line: string) => void;
  },
): Promise<RunMeasurement> {
  const { size, queries, pacedSeconds, say } = load;
  const { clients, uploads: count } = size;
  const by = { draw: () => Math.random(), signal: context.signal };
  await context.untilIdle();
  const paced = await readPaced(queries, { seconds: pacedSeconds, clients }, by);
  say(slowest(paced));
  let busy: Figures = {};
  const run = await measureRun(context, count, async () => {
    const begin = performance.now();
    const ms = msOf(await readConcurrently(queries, { count, clients }));
    return (busy = {
      lists_per_second: (count / (performance.now() - begin)) * 1000,
      busy_list_ms_p50: percentile(ms, 50),
      busy_list_ms_p99: percentile(ms, 99),
    });
  });
  const { cpu_seconds_per_sbom, peak_rss_bytes } = run.figures;
  return {
    ...run,
    figures: {
      list_ms_p50: percentile(msOf(paced), 50),
      list_ms_p99: percentile(msOf(paced), 99),
      ...busy,
      cpu_seconds_per_list: cpu_seconds_per_sbom,
      peak_rss_bytes,
    },
  };
}

function msOf(asked: readonly TimedRead[]): number[] {
  return asked.map(({ ms }) => ms);
}

/** The question with the highest median: no order may be slow because the others are not. */
function slowest(asked: readonly TimedRead[]): string {
  const medians = [...new Set(asked.map(({ path }) => path))].map((path) => {
    return { path, ms: percentile(msOf(asked.filter((one) => one.path === path)), 50) };
  });
  const worst = medians.reduce((a, b) => (b.ms > a.ms ? b : a));
  return `slowest of ${medians.length} questions: ${worst.path}, p50 ${worst.ms.toFixed(1)} ms`;
}
