import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { BenchFailure } from '../bench-failure';
import { calibrated, type Calibrations } from '../measure/in-folder';
import { sharedData } from '../paths';
import type { BenchDeps } from '../run-bench';
import { generateFeed, rewriteZip } from './generate-feed';
import { measureLoad, readState, type MeasuredLoad } from './measure-load';
import { ecosystemsIn, recordsIn } from './real-records';
import { startLoneScanner, type LoneScanner } from './scanner-process';

export interface FeedLoadArguments {
  /** Records of the generated feed. */
  records: number;
}

export interface FeedLoadReport {
  real: MeasuredLoad[];
  generated: MeasuredLoad[];
  generatedBytes: number;
  /** Reasons of rejected records of the real feed, by count. */
  rejected: Map<string, number>;
  calibration: Calibrations;
}

/** Time over which the cost of looks that find nothing new is taken. */
const idleMs = 20_000;
/** Records of the ecosystem of which one is changed; the whole zip is read again for it. */
const changedEcosystem = 'npm';

/** Loads the real advisories and a much larger generated feed from empty, and what comes after that. */
export async function runFeedLoad(
  args: FeedLoadArguments,
  deps: BenchDeps,
): Promise<FeedLoadReport> {
  const real = sharedData('advisories');
  if (real === undefined)
    throw new BenchFailure('feed-load needs ../shared/data/advisories beside the checkout');
  return withTemporaryFolder('feed-load', (folder) =>
    calibrated(folder, () => measureIn(folder, real, { args, deps })),
  );
}

async function measureIn(
  folder: string,
  real: string,
  { args, deps }: { args: FeedLoadArguments; deps: BenchDeps },
): Promise<Omit<FeedLoadReport, 'calibration'>> {
  const realRecords = await countRecords(real);
  deps.say(`${realRecords} real records`);
  const first = await loadFrom(real, { folder: join(folder, 'real'), deps, isOurs: false });
  deps.say(`generating ${args.records} records`);
  const wanted = { records: args.records, realRecords };
  const feed = await generateFeed(real, join(folder, 'feed'), wanted);
  const place = { folder: join(folder, 'generated'), deps, isOurs: true };
  const second = await loadFrom(feed.folder, place);
  return {
    real: first.loads,
    generated: second.loads,
    generatedBytes: feed.bytes,
    rejected: first.rejected,
  };
}

async function countRecords(folder: string): Promise<number> {
  let count = 0;
  for (const ecosystem of ecosystemsIn(folder))
    for await (const record of recordsIn(join(folder, ecosystem, 'all.zip')))
      count += record.bytes.length > 0 ? 1 : 0;
  return count;
}

interface Loaded {
  loads: MeasuredLoad[];
  rejected: Map<string, number>;
}

/** From empty; then looks that find nothing new; of a feed of our own also what a new edition costs. */
async function loadFrom(
  source: string,
  place: { folder: string; deps: BenchDeps; isOurs: boolean },
): Promise<Loaded> {
  const { signal, say } = place.deps;
  const scanner = await startLoneScanner({ folder: place.folder, advisorySource: source, say });
  try {
    const step = async (
      name: string,
      begin: () => Promise<void>,
      isDone: Parameters<typeof measureLoad>[1]['isDone'],
    ): Promise<void> => {
      say(name);
      const isWhole = loads.length === 0;
      loads.push(await measureLoad(scanner, { name, isWhole, signal, begin, isDone }));
    };
    const loads: MeasuredLoad[] = [];
    await step(
      'from empty',
      async () => {},
      ({ revision }) => revision > 0,
    );
    await step(
      `looks for ${idleMs / 1000} s, nothing new`,
      () => delay(idleMs, undefined, { signal }),
      () => true,
    );
    if (place.isOurs) await newEditions(scanner, source, step);
    return { loads, rejected: rejections(place.folder) };
  } finally {
    await scanner.stop();
  }
}

async function newEditions(
  scanner: LoneScanner,
  source: string,
  step: (
    name: string,
    begin: () => Promise<void>,
    isDone: Parameters<typeof measureLoad>[1]['isDone'],
  ) => Promise<void>,
): Promise<void> {
  const file = join(source, changedEcosystem, 'all.zip');
  const next = join(source, 'next.zip');
  const known = async () => {
    const state = await readState(scanner.db);
    const part = state?.parts.find(({ label }) => label === changedEcosystem);
    return { fingerprint: part?.fingerprint, revision: state?.revision ?? 0 };
  };
  const before = await known();
  await rewriteZip(file, next, false);
  await step(
    `${changedEcosystem}: the same content in a new zip`,
    async () => renameSync(next, file),
    ({ parts }) =>
      parts.some((one) => one.label === changedEcosystem && one.fingerprint !== before.fingerprint),
  );
  const then = await known();
  if (then.revision !== before.revision) throw new BenchFailure('nothing new made a revision');
  await rewriteZip(file, next, true);
  await step(
    `${changedEcosystem}: one record changed in a new zip`,
    async () => renameSync(next, file),
    ({ revision }) => revision > then.revision,
  );
}

/** What the scanner's log says of records that it could not read. */
function rejections(folder: string): Map<string, number> {
  const reasons = new Map<string, number>();
  for (const line of readFileSync(join(folder, 'scanner.log'), 'utf8').split('\n')) {
    if (!line.includes('"problem"')) continue;
    const { problem } = JSON.parse(line) as { problem: string };
    reasons.set(problem, (reasons.get(problem) ?? 0) + 1);
  }
  return reasons;
}
