import { BenchFailure } from '../bench-failure';
import type { Api } from '../load/api';
import { pollUntil } from '../load/poll';
import { costBetween, readUsage, type ProcessCost } from '../measure/process-usage';
import type { BenchStack } from '../stack/bench-stack';
import { countedBetween, readCounters, type Counters } from './counters';

/** A change of the feed, from the moment its file was written. */
export interface MeasuredChange {
  name: string;
  /** Until every list said so. */
  seconds: number;
  rows: number;
  counted: Counters;
  /** Of each process of the stack, until it was quiet again. */
  costs: ProcessCost[];
}

export interface ChangeDeps {
  api: Api;
  stack: BenchStack;
  untilIdle: () => Promise<unknown>;
  signal: AbortSignal;
}

const timeoutMs = 10 * 60_000;

/**
 * Makes a change to the feed and waits until the active list has exactly `rows` rows of the
 * vulnerability. What was counted is read once the stack is quiet again.
 */
export async function measureChange(
  deps: ChangeDeps,
  change: { name: string; id: string; rows: number; make: () => void },
): Promise<MeasuredChange> {
  const { api, stack, untilIdle, signal } = deps;
  await untilIdle();
  const before = await readCounters(stack);
  const usage = await readUsage(stack.processes());
  const begin = performance.now();
  change.make();
  let rows = -1;
  await pollUntil(
    async () => {
      rows = await api.countOpen(change.id);
      return rows === change.rows ? true : undefined;
    },
    {
      pauseMs: 100,
      timeoutMs,
      signal,
      waitingFor: () => `${change.name}: ${rows} open rows, not ${change.rows}`,
    },
  );
  const seconds = (performance.now() - begin) / 1000;
  await untilIdle();
  if ((await api.countOpen(change.id)) !== change.rows) {
    throw new BenchFailure(`${change.name}: the rows did not stay`);
  }
  const counted = countedBetween(before, await readCounters(stack));
  const costs = costBetween(usage, await readUsage(stack.processes()));
  return { name: change.name, seconds, rows: change.rows, counted, costs };
}
