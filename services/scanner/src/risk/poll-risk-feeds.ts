import type { Leases } from '@bomtrail/mongo';
import { underLease } from '../work/under-lease';
import { pollRiskFeed, type PollRiskFeedDeps } from './poll-risk-feed';
import type { SourcesInForce } from '../feeds/sources-in-force';
import type { RiskSource } from './sources/open-risk-file';

export interface PollRiskFeedsDeps extends PollRiskFeedDeps {
  leases: Leases;
  riskSources: readonly RiskSource[];
  sourcesInForce: SourcesInForce;
  /** Aborted when the service stops. */
  signal: AbortSignal;
}

/** Polls all risk feeds, one process at a time. Returns the number of changed values. */
export async function pollRiskFeeds(deps: PollRiskFeedsDeps): Promise<number> {
  if (!(await deps.sourcesInForce())) return 0;
  const lease = { name: 'risk-feeds', signal: deps.signal };
  const changed = await underLease(deps, lease, async (held) => {
    let sum = 0;
    for (const source of deps.riskSources) sum += await pollRiskFeed(deps, source, held);
    return sum;
  });
  return changed ?? 0;
}
