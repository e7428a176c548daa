import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, SbomVerdict } from '@bomtrail/api-client';
import type { Threshold } from '../settings/read-settings';

/** The longest that the service holds an answer back, in seconds (the contract's bound of `wait`). */
const maxWaitSeconds = 60;
/** A service that answers at once though it was asked to wait is not asked more often than this. */
const minPauseMs = 500;
/** What else passes by itself, and within seconds; the service does not hold its answer back for it. */
const transientReasons = new Set(['advisories_changing', 'baseline_pending']);
const transientPauseMs = 3_000;

export interface VerdictQuery {
  sbomId: string;
  failOn: Threshold | undefined;
  onlyNew: boolean;
  /** What counts as old; undefined: the last SBOM that passed. */
  baseline: string | undefined;
  /** How long to wait for the end of the scan, in milliseconds; 0 asks once. */
  withinMs: number;
}

/** Time, as it passes. */
export interface Clock {
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
}

/**
 * Asks for the verdict until the scan is over, and what else passes by itself, or the time is up. The
 * service holds the answer back while it scans, so that nothing is polled.
 *
 * @returns the verdict, which is still `undecided` when the time was up
 * @throws ApiError, CliError as every call
 */
export async function awaitVerdict(
  api: Pick<ApiClient, 'verdict'>,
  query: VerdictQuery,
  { now, sleep }: Clock = { now: Date.now, sleep: (ms) => delay(ms) },
): Promise<SbomVerdict> {
  const deadline = now() + query.withinMs;
  for (;;) {
    const began = now();
    const wait = Math.min(maxWaitSeconds, Math.ceil(Math.max(0, deadline - began) / 1000));
    const verdict = await api.verdict(query.sbomId, {
      ...(query.failOn && { fail_on: query.failOn }),
      only_new: query.onlyNew ? 'true' : 'false',
      ...(query.baseline && { baseline: query.baseline }),
      wait,
    });
    const isPending = verdict.scan_status === 'pending';
    const willPass = verdict.reasons.some(({ code }) => transientReasons.has(code));
    if (!(isPending || willPass) || now() >= deadline) return verdict;
    const least = isPending ? minPauseMs - (now() - began) : transientPauseMs;
    const pause = Math.min(least, deadline - now());
    if (pause > 0) await sleep(pause);
  }
}
