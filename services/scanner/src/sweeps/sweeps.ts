import { garbageSweepSeconds } from '@bomtrail/deletion';
import type { Leases } from '@bomtrail/mongo';
import type { Sweep } from '@bomtrail/service-runtime';
import type { Logger } from '@bomtrail/telemetry';
import { publishChanges, type PublishChangesDeps } from '../rescans/publish-changes';
import { releaseWaitingScans, type AwaitFeedsDeps } from '../feeds/await-feeds';
import {
  deleteUnusedSets,
  markUnusedSets,
  type DeleteUnusedSetsDeps,
} from '../deletion/delete-unused-sets';
import { reevaluateSets } from '../rescans/reevaluate-sets';
import type { ScanDeps } from '../matching/scan-component-set';
import { pollVexSources, type PollVexSourcesDeps } from '../vex-sources/poll-vex-sources';
import { pollRiskFeeds, type PollRiskFeedsDeps } from '../risk/poll-risk-feeds';
import { applyChanges } from '../rescans/apply-changes';
import { underLease } from '../work/under-lease';

export interface SweepDeps
  extends
    ScanDeps,
    PublishChangesDeps,
    AwaitFeedsDeps,
    DeleteUnusedSetsDeps,
    PollRiskFeedsDeps,
    PollVexSourcesDeps {
  leases: Leases;
  log: Logger;
  /** Aborted when the service stops. */
  signal: AbortSignal;
  /** Interval between polls of the risk feeds. */
  riskFeedSeconds: number;
}

const everySeconds = 15;

/** Retries work after crashes and lost messages. */
export function scannerSweeps(deps: SweepDeps): Sweep[] {
  const { drop, check } = garbageSweepSeconds(deps.graceMs);
  return [
    { name: 'pending-changes', everySeconds, run: () => applyAndPublish(deps) },
    { name: 'unpublished-changes', everySeconds, run: () => publishChanges(deps) },
    { name: 'waiting-scans', everySeconds, run: () => releaseWaitingScans(deps) },
    { name: 'older-rules', everySeconds, run: () => reevaluateUnderLease(deps) },
    { name: 'sources', everySeconds: 60, run: () => confirmSources(deps) },
    { name: 'risk-feeds', everySeconds: deps.riskFeedSeconds, run: () => pollRiskFeeds(deps) },
    { name: 'vex-sources', everySeconds, run: () => pollVexSources(deps) },
    { name: 'unused-sets', everySeconds: drop, run: () => deleteUnusedSets(deps) },
    { name: 'unreferenced-sets', everySeconds: check, run: () => markUnusedSets(deps) },
  ];
}

/**
 * Applies a new revision and requests rescans, after its commit or by the sweep. Returns the number
 * of packages.
 */
export async function applyAndPublish(deps: SweepDeps): Promise<number> {
  const lease = { name: 'apply-changes', signal: deps.signal };
  const applied = await underLease(deps, lease, (held) => applyChanges(deps, held.signal));
  if (applied) await publishChanges(deps);
  return applied ?? 0;
}

/** Polls may be an hour apart. */
async function confirmSources(deps: SweepDeps): Promise<number> {
  await deps.sourcesInForce();
  return 0;
}

/** Runs under a lease that is renewed while it runs. */
async function reevaluateUnderLease(deps: SweepDeps): Promise<number> {
  const lease = { name: 'reevaluate', signal: deps.signal };
  const done = await underLease(deps, lease, (held) => reevaluateSets(deps, held.signal));
  if (done) await publishChanges(deps);
  return done ?? 0;
}
