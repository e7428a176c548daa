import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, SbomVerdict } from '@bomtrail/api-client';
import type { Threshold } from '../settings/read-settings';

/** The longest that the service holds an answer back, in seconds (the contract's bound of `wait`). */
const longestWaitSeconds = 60;
/** A service that answers at once though it was asked to wait is not asked more often than this. */
const leastPauseMs = 500;

export interface VerdictQuestion {
  sbomId: string;
  failOn: Threshold | undefined;
  onlyNew: boolean;
  /** How long to wait for the end of the scan, in milliseconds; 0 asks once. */
  withinMs: number;
}

/**
 * Asks for the verdict until the scan is over or the time is up. The service holds the answer back
 * meanwhile, so nothing is polled.
 *
 * @returns the verdict, whose `scan_status` is still `pending` when the time was up
 * @throws ApiError, CliError as every call
 */
export async function awaitVerdict(
  api: Pick<ApiClient, 'verdict'>,
  question: VerdictQuestion,
  now: () => number = Date.now,
): Promise<SbomVerdict> {
  const deadline = now() + question.withinMs;
  for (;;) {
    const began = now();
    const wait = Math.min(longestWaitSeconds, Math.ceil(Math.max(0, deadline - began) / 1000));
    const verdict = await api.verdict(question.sbomId, {
      ...(question.failOn && { fail_on: question.failOn }),
      only_new: question.onlyNew ? 'true' : 'false',
      wait,
    });
    if (verdict.scan_status !== 'pending' || now() >= deadline) return verdict;
    const pause = Math.min(leastPauseMs - (now() - began), deadline - now());
    if (pause > 0) await delay(pause);
  }
}
