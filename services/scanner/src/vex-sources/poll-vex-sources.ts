import type { Leases } from '@bomtrail/mongo';
import { underLease } from '../work/under-lease';
import { isDropped } from './domain/vex-source-state';
import { dropVexSource, pollVexSource, type PollVexSourceDeps } from './poll-vex-source';
import type { VexSource } from './ports';

export interface PollVexSourcesDeps extends PollVexSourceDeps {
  leases: Leases;
  vexSources: readonly VexSource[];
  /** Aborted when the service stops. */
  signal: AbortSignal;
}

/**
 * Polls the sources that are due, one process at a time, and withdraws the documents of those that no process has had
 * configured for ten minutes: in a rolling change some still have the former settings. Returns the number of documents
 * that were imported or withdrawn.
 */
export async function pollVexSources(deps: PollVexSourcesDeps): Promise<number> {
  const { vexSources, vexSourceStore } = deps;
  if (vexSources.length === 0 && (await vexSourceStore.states()).length === 0) return 0;
  const lease = { name: 'vex-sources', signal: deps.signal };
  const changed = await underLease(deps, lease, async (held) => {
    const states = await vexSourceStore.states();
    let sum = 0;
    const now = new Date();
    for (const source of vexSources) {
      const found = states.find(({ origin }) => origin === source.origin);
      const stored = found && { ...found, unwatched_since: null };
      if (stored && found.unwatched_since) await vexSourceStore.save(stored);
      if (stored && stored.next_at > now) continue;
      sum += await pollVexSource(deps, source, { stored, ...held });
    }
    const watched = new Set(vexSources.map(({ origin }) => origin));
    for (const state of states) {
      if (watched.has(state.origin)) continue;
      held.assertHeld();
      if (isDropped(state, now)) sum += await dropVexSource(deps, state.origin);
      else if (!state.unwatched_since)
        await vexSourceStore.save({ ...state, unwatched_since: now });
    }
    return sum;
  });
  return changed ?? 0;
}
