import { garbageSweepSeconds, type Leases, type Logger, type Sweep } from '@bomtrail/service-kit';
import { announceChanges, type AnnounceChangesDeps } from '../use-cases/announce-changes';
import { releaseWaitingScans, type AwaitFeedsDeps } from '../use-cases/await-feeds';
import { forgetUnheld, lookForUnheld, type ForgetUnheldDeps } from '../use-cases/forget-unheld';
import { reevaluateSets } from '../use-cases/reevaluate-sets';
import type { ScanDeps } from '../use-cases/scan-component-set';
import { applyChanges } from '../use-cases/apply-changes';
import { underLease } from '../work/under-lease';

export interface SweepDeps extends ScanDeps, AnnounceChangesDeps, AwaitFeedsDeps, ForgetUnheldDeps {
  leases: Leases;
  log: Logger;
  /** Aborted when the service stops. */
  signal: AbortSignal;
}

const everySeconds = 15;

/** Work that a crash or a lost message left undone. */
export function scannerSweeps(deps: SweepDeps): Sweep[] {
  const { drop, check } = garbageSweepSeconds(deps.graceMs);
  return [
    { name: 'pending-changes', everySeconds, run: () => settleAndAnnounce(deps) },
    { name: 'unannounced-changes', everySeconds, run: () => announceChanges(deps) },
    { name: 'waiting-scans', everySeconds, run: () => releaseWaitingScans(deps) },
    { name: 'older-rules', everySeconds, run: () => reevaluateUnderLease(deps) },
    { name: 'unheld-sets', everySeconds: drop, run: () => forgetUnheld(deps) },
    { name: 'missed-sets', everySeconds: check, run: () => lookForUnheld(deps) },
  ];
}

/** What follows a new revision: at once after its commit, or with the sweep. Gives the number of packages. */
export async function settleAndAnnounce(deps: SweepDeps): Promise<number> {
  const lease = { name: 'settle', signal: deps.signal };
  const applied = await underLease(deps, lease, (held) => applyChanges(deps, held));
  if (applied) await announceChanges(deps);
  return applied ?? 0;
}

/** Under a lease of its own, which lasts as long as it takes. */
async function reevaluateUnderLease(deps: SweepDeps): Promise<number> {
  const lease = { name: 'reevaluate', signal: deps.signal };
  const done = await underLease(deps, lease, (held) => reevaluateSets(deps, held));
  if (done) await announceChanges(deps);
  return done ?? 0;
}
