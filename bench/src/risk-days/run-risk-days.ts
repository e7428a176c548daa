import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { keptStack } from '../active-list/kept-stack';
import { pollUntil } from '../load/poll';
import { calibrated, inFolder, type Calibrations } from '../measure/in-folder';
import { costBetween, readUsage, type ProcessCost } from '../measure/process-usage';
import { waitUntilQuiet } from '../measure/quiet';
import { calibrationLines, plainTable, shortNumber } from '../report/tables';
import type { BenchDeps } from '../run-bench';
import type { BenchStack } from '../stack/bench-stack';
import { withStack } from '../stack/with-stack';
import { createRiskFeeds, type RiskFeeds } from './risk-feeds';
import { readWrites, type Writes } from './read-writes';

export interface RiskDaysArguments {
  rows: number;
  rowsPerService: number;
  /** Vulnerabilities that become known to be exploited, the most common ones. */
  exploited: number;
  /** Folder in which the filled stack is stored for reuse, which stays as it is; undefined: a temporary one. */
  keep?: string;
}

interface Day {
  name: string;
  seconds: number;
  /** Open vulnerabilities that are known to be exploited afterwards. */
  exploited: number;
  costs: ProcessCost[];
  from: Date;
  to: Date;
}

/** On the day before; what the database was filled with is more. */
const exploitedBefore = 10;
const dayTimeoutMs = 600_000;
/** The log of operations counts by second. */
const apartMs = 2_000;

/** Measures a day on which common vulnerabilities become known to be exploited, and the next day's scores. */
export function runRiskDays(args: RiskDaysArguments, deps: BenchDeps): Promise<string> {
  return inFolder({ name: 'risk-days', ...args }, async (folder) => {
    const kept = await keptStack(folder, args, deps);
    return withTemporaryFolder('risk-days', async (own) => {
      const dataDir = join(own, 'data');
      deps.say('copying the data');
      cpSync(kept, dataDir, { recursive: true });
      const { days, calibration } = await calibrated(own, async () => ({
        days: await measureDays(
          { dataDir, feeds: createRiskFeeds(join(own, 'feeds')) },
          args,
          deps,
        ),
      }));
      const writes = await readWrites(dataDir, days, deps.say);
      return render(days, { writes, calibration });
    });
  });
}

function measureDays(
  { dataDir, feeds }: { dataDir: string; feeds: RiskFeeds },
  { exploited }: RiskDaysArguments,
  deps: BenchDeps,
): Promise<Day[]> {
  const { signal, say } = deps;
  feeds.publishKev(exploitedBefore);
  feeds.publishEpss(1);
  const env = {
    BOMTRAIL_KEV_SOURCE: feeds.kev,
    BOMTRAIL_EPSS_SOURCE: feeds.epss,
    BOMTRAIL_FEED_INTERVAL_SECONDS: '1',
  };
  const options = { dataDir, advisorySource: 'starter', env, ...deps };
  return withStack(options, async (stack) => {
    const quiet = () => waitUntilQuiet(() => stack.processes(), signal);
    const days: Day[] = [];
    const measure = async (name: string, publish: () => void, isDone: () => Promise<boolean>) => {
      await quiet();
      await delay(apartMs, undefined, { signal });
      const before = await readUsage(stack.processes());
      const from = new Date();
      publish();
      const waitingFor = () => name;
      const poll = async () => ((await isDone()) ? true : undefined);
      await pollUntil(poll, { pauseMs: 250, timeoutMs: dayTimeoutMs, signal, waitingFor });
      const seconds = (Date.now() - from.getTime()) / 1000;
      await quiet();
      await delay(apartMs, undefined, { signal });
      const costs = costBetween(before, await readUsage(stack.processes()));
      const found = await read<{ total: number }>(stack, 'vulnerabilities/summary?kev=true');
      days.push({ name, seconds, exploited: found.total, costs, from, to: new Date() });
      say(`${name}: ${shortNumber(seconds)} s`);
    };
    await pollUntil(
      async () => ((await exploitedIn(stack)) <= exploitedBefore ? true : undefined),
      {
        pauseMs: 1000,
        timeoutMs: dayTimeoutMs,
        signal,
        waitingFor: () => 'the first day',
      },
    );
    await measure(
      `${exploited} become known to be exploited`,
      () => feeds.publishKev(exploited),
      async () => (await exploitedIn(stack)) >= exploited * leastNamed,
    );
    const last = await scoreOf(stack);
    await measure(
      'the next day of EPSS',
      () => feeds.publishEpss(2),
      async () => (await scoreOf(stack)) !== last,
    );
    return days;
  });
}

/** So many of the generated vulnerabilities have a CVE; the others have a GHSA only. */
const leastNamed = 0.8;

/** Distinct vulnerabilities that are known to be exploited. */
async function exploitedIn(stack: BenchStack): Promise<number> {
  const path = 'vulnerabilities/groups?group_by=vulnerability&kev=true&per_page=1';
  return (await read<{ total: number }>(stack, path)).total;
}

/** The score of the vulnerability that is written last: details are rated by CVE. */
async function scoreOf(stack: BenchStack): Promise<number | null> {
  const path = 'vulnerabilities?sort=cve_id&order=desc&q=CVE-2025&per_page=1&count=false';
  const { items } = await read<{ items: { epss_score: number | null }[] }>(stack, path);
  return items[0]?.epss_score ?? null;
}

async function read<Body>({ baseUrl, apiKey }: BenchStack, path: string): Promise<Body> {
  const response = await fetch(`${baseUrl}/api/v1/${path}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return (await response.json()) as Body;
}

function render(
  days: readonly Day[],
  { writes, calibration }: { writes: readonly Writes[]; calibration: Calibrations },
): string {
  const table = plainTable([
    ...['what', 'seconds', 'exploited, open', 'rows written', 'details written'],
    'CPU s scanner / reconciler / mongod',
  ]);
  for (const [at, { name, seconds, exploited, costs }] of days.entries()) {
    const written = writes[at] ?? {};
    const cpu = (of: string) => costs.find((one) => one.name === of)?.cpuSeconds ?? 0;
    table.push([
      ...[name, shortNumber(seconds), exploited],
      ...[written['tracked_vulnerabilities'] ?? 0, written['vulnerability_details'] ?? 0],
      ['scanner', 'reconciler', 'mongod'].map((one) => shortNumber(cpu(one))).join(' / '),
    ]);
  }
  return `${table.toString()}\n${calibrationLines(calibration)}`;
}
