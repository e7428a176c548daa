import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, GateQuery, SbomVerdict } from '@bomtrail/api-client';
import type { Threshold } from '../settings/read-settings';

/** Maximum of `wait` in the API contract, in seconds. */
const maxWaitSeconds = 60;
/** Minimum interval between requests, even if the server responds without waiting. */
const minPauseMs = 500;
/** Reasons that resolve by themselves within seconds; the server does not wait for them. */
const transientReasons = new Set(['advisories_changing', 'baseline_pending']);
const transientPauseMs = 3_000;

/** The rules of a gate and its baseline. */
export interface Gate {
  failOn: Threshold | 'none' | undefined;
  onlyNew: boolean;
  failOnKev: boolean;
  maxEpss: number | undefined;
  onlyFixable: boolean;
  failOnLicense: boolean;
  minQuality: number | undefined;
  /** SBOM to compare with; undefined: the last one that passed. */
  baseline: string | undefined;
}

export interface VerdictQuery extends Gate {
  sbomId: string;
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
      ...gateQuery(query),
      wait,
    });
    const isPending = verdict.scan_status === 'pending';
    const remarks = [...verdict.reasons, ...verdict.caveats];
    const isTransient = remarks.some(({ code }) => transientReasons.has(code));
    if (!(isPending || isTransient) || now() >= deadline) return verdict;
    const least = isPending ? minPauseMs - (now() - began) : transientPauseMs;
    const pause = Math.min(least, deadline - now());
    if (pause > 0) await sleep(pause);
  }
}

/** The parameters of a gate in the API. */
export function gateQuery(gate: Gate): GateQuery {
  return {
    ...thresholdOf(gate),
    only_new: gate.onlyNew ? 'true' : 'false',
    ...(gate.failOnKev && { fail_on_kev: 'true' }),
    ...(gate.maxEpss !== undefined && { max_epss: gate.maxEpss }),
    ...(gate.onlyFixable && { only_fixable: 'true' }),
    ...(gate.failOnLicense && { fail_on_license: 'true' }),
    ...(gate.minQuality !== undefined && { min_quality: gate.minQuality }),
    ...(gate.baseline && { baseline: gate.baseline }),
  };
}

/** Without a threshold, a gate by other rules ignores severities. */
function thresholdOf(gate: Gate) {
  if (gate.failOn) return { fail_on: gate.failOn };
  return hasOtherRules(gate) ? { fail_on: 'none' as const } : {};
}

/** Whether a gate has a rule beside a threshold: exploitation, licences or quality. */
export function hasOtherRules(gate: Omit<Gate, 'failOn' | 'onlyNew' | 'onlyFixable' | 'baseline'>) {
  const { failOnKev, maxEpss, failOnLicense, minQuality } = gate;
  return failOnKev || maxEpss !== undefined || failOnLicense || minQuality !== undefined;
}
