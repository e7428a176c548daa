import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { BenchFailure } from '../bench-failure';
import { costBetween, readUsage, type ProcessCost } from '../measure/process-usage';
import type { LoneScanner } from './scanner-process';

/** What one step of the feed's life has cost. */
export interface MeasuredLoad {
  name: string;
  /** Whether all records were loaded. */
  isWhole: boolean;
  seconds: number;
  /** Records of the editions that are loaded. */
  records: number;
  rejected: number;
  revision: number;
  processes: ProcessCost[];
  database: { logicalBytes: number; diskBytes: number; indexBytes: number };
}

/** The state document of the scanner, as far as it is read here. */
interface FeedState {
  _id: string;
  revision: number;
  finished_revision: number;
  parts: {
    label: string;
    fingerprint: string | null;
    records: number;
    rejected: number;
    error: string | null;
  }[];
}

const pollMs = 100;
const longestMs = 50 * 60 * 1000;

/** Runs a step until the state says that it is done, and gives what it took. */
export async function measureLoad(
  scanner: LoneScanner,
  step: {
    name: string;
    isWhole?: boolean;
    signal: AbortSignal;
    begin: () => Promise<void>;
    isDone: (state: FeedState) => boolean;
  },
): Promise<MeasuredLoad> {
  const before = await readUsage(scanner.processes());
  const start = performance.now();
  await step.begin();
  const state = await untilDone(scanner, step);
  const seconds = (performance.now() - start) / 1000;
  const after = await readUsage(scanner.processes());
  return {
    name: step.name,
    isWhole: step.isWhole === true,
    seconds,
    records: sum(state, ({ records }) => records),
    rejected: sum(state, ({ rejected }) => rejected),
    revision: state.revision,
    processes: costBetween(before, after),
    database: await sizeOf(scanner.db),
  };
}

export async function readState(db: Db): Promise<FeedState | null> {
  return db.collection<FeedState>('feed_state').findOne({});
}

async function untilDone(
  scanner: LoneScanner,
  step: { name: string; signal: AbortSignal; isDone: (state: FeedState) => boolean },
): Promise<FeedState> {
  const deadline = Date.now() + longestMs;
  while (Date.now() < deadline) {
    scanner.processes();
    const state = await readState(scanner.db);
    const failed = state?.parts.find(({ error }) => error !== null);
    if (failed) throw new BenchFailure(`${step.name}: ${failed.label} failed: ${failed.error}`);
    if (state && state.finished_revision >= state.revision && step.isDone(state)) return state;
    await delay(pollMs, undefined, { signal: step.signal });
  }
  throw new BenchFailure(`${step.name}: not done within ${longestMs / 60_000} minutes`);
}

async function sizeOf(db: Db): Promise<MeasuredLoad['database']> {
  const found = await db.stats();
  return {
    logicalBytes: Number(found['dataSize']),
    diskBytes: Number(found['storageSize']),
    indexBytes: Number(found['indexSize']),
  };
}

function sum(state: FeedState, of: (part: FeedState['parts'][number]) => number): number {
  return state.parts.reduce((total, part) => total + of(part), 0);
}
