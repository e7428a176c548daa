import type { Leases, Sweep } from '@bomtrail/service-kit';
import { announceChanges, type AnnounceChangesDeps } from '../use-cases/announce-changes';
import type { ScanDeps } from '../use-cases/scan-component-set';
import { settleChanges } from '../use-cases/settle-changes';
import { underLease } from '../work/under-lease';

export interface SweepDeps extends ScanDeps, AnnounceChangesDeps {
  leases: Leases;
  /** Aborted when the service stops. */
  signal: AbortSignal;
}

const everySeconds = 15;

/** Work that a crash or a lost message left undone. */
export function scannerSweeps(deps: SweepDeps): Sweep[] {
  return [
    { name: 'pending-changes', everySeconds, run: () => settleAndAnnounce(deps) },
    { name: 'unannounced-changes', everySeconds, run: () => announceChanges(deps) },
  ];
}

/** What follows a new revision: at once after its commit, or with the sweep. Gives the number of packages. */
export async function settleAndAnnounce(deps: SweepDeps): Promise<number> {
  const lease = { name: 'settle', signal: deps.signal };
  const settled = await underLease(deps.leases, lease, (held) => settleChanges(deps, held));
  if (settled) await announceChanges(deps);
  return settled ?? 0;
}
