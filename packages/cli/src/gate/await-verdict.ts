import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, SbomVerdict } from '@bomtrail/api-client';
import type { Threshold } from '../settings/read-settings';

/** Maximum of `wait` in the API contract, in seconds. */
const maxWaitSeconds = 60;
/** Minimum interval between requests, even if the server responds without waiting. */
const minPauseMs = 500;
/** Reasons that resolve by themselves within seconds; the server does not wait for them. */
const transientReasons = new Set(['advisories_changing', 'baseline_pending']);
const transientPauseMs = 3_000;

export interface VerdictQuery {
  sbomId: string;
  failOn: Threshold | 'none' | undefined;
  onlyNew: boolean;
  failOnKev: boolean;
  maxEpss: number | undefined;
  onlyFixable: boolean;
  /** SBOM to compare with; undefined: the last one that passed. */
  baseline: string | undefined;
  /** Maximum wait for the end of the scan, in milliseconds; 0: a single request. */
  withinMs: number;
}

export interface Clock {
  now: () => number;
  sleep: (ms: number) => Promise<unknown>;
}

/**
 * Requests the verdict until the scan has finished and transient reasons are gone, or the time is up. Uses long
 * polling: the server responds when the scan has finished.
 *
 * @returns the verdict, `undecided` if the time was up
 * @throws ApiError, CliError
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
      ...thresholdOf(query),
      only_new: query.onlyNew ? 'true' : 'false',
      ...(query.failOnKev && { fail_on_kev: 'true' }),
      ...(query.maxEpss !== undefined && { max_epss: query.maxEpss }),
      ...(query.onlyFixable && { only_fixable: 'true' }),
      ...(query.baseline && { baseline: query.baseline }),
      wait,
    });
    const isPending = verdict.scan_status === 'pending';
    const isTransient = verdict.reasons.some(({ code }) => transientReasons.has(code));
    if (!(isPending || isTransient) || now() >= deadline) return verdict;
    const least = isPending ? minPauseMs - (now() - began) : transientPauseMs;
    const pause = Math.min(least, deadline - now());
    if (pause > 0) await sleep(pause);
  }
}

/** Without a threshold, a gate by exploitation ignores severities. */
function thresholdOf({ failOn, failOnKev, maxEpss }: VerdictQuery) {
  if (failOn) return { fail_on: failOn };
  return failOnKev || maxEpss !== undefined ? { fail_on: 'none' as const } : {};
}
