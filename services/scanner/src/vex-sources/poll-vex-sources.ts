import type { Leases } from '@bomtrail/mongo';
import { underLease } from '../work/under-lease';
import { dropVexSource, pollVexSource, type PollVexSourceDeps } from './poll-vex-source';
import type { VexSource } from './ports';

export interface PollVexSourcesDeps extends PollVexSourceDeps {
  leases: Leases;
  vexSources: readonly VexSource[];
  /** Aborted when the service stops. */
  signal: AbortSignal;
}

/**
 * Polls the sources that are due, one process at a time, and withdraws the documents of those that are no longer
 * configured. Returns the number of documents that were imported or withdrawn.
 */
export async function pollVexSources(deps: PollVexSourcesDeps): Promise<number> {
  const states = await deps.vexSourceStore.states();
  if (deps.vexSources.length === 0 && states.length === 0) return 0;
  const lease = { name: 'vex-sources', signal: deps.signal };
  const changed = await underLease(deps, lease, async (held) => {
    let sum = 0;
    const now = new Date();
    for (const source of deps.vexSources) {
      const stored = states.find(({ origin }) => origin === source.origin);
      if (stored && stored.next_at > now) continue;
      sum += await pollVexSource(deps, source, { stored, ...held });
    }
    const watched = new Set(deps.vexSources.map(({ origin }) => origin));
    for (const { origin } of states)
      if (!watched.has(origin)) sum += await dropVexSource(deps, origin);
    return sum;
  });
  return changed ?? 0;
}
