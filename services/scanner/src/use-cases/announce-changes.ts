import { requestRescans } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { ComponentSetStore } from '../store/component-set-store';
import type { FeedStateStore } from '../store/feed-state-store';

export interface AnnounceChangesDeps {
  feed: FeedStateStore;
  sets: ComponentSetStore;
  request: Request;
}

const atOnce = 8;
/** Whoever refuses so many sets one after another is away: the next sweep asks again. */
const maxFailuresInARow = 64;

/**
 * Tells the catalog which component sets changed; only what is settled, so that whoever reads the
 * findings then reads those of the revision. A set counts as announced once the catalog has answered
 * that it owes the re-scans; one that fails stays noted and keeps no other one waiting.
 *
 * @returns the number of sets
 * @throws the last failure, when there were any, after the other sets were told
 */
export async function announceChanges(deps: AnnounceChangesDeps): Promise<number> {
  const { settled_revision: settled } = await deps.feed.read();
  let announced = 0;
  let failuresInARow = 0;
  let failure: Error | null = null;
  for await (const sets of deps.sets.listUnannounced(settled, atOnce)) {
    const results = await Promise.allSettled(sets.map((set) => announceOne(deps, set)));
    for (const result of results) {
      if (result.status === 'fulfilled') {
        announced += 1;
        failuresInARow = 0;
      } else {
        failuresInARow += 1;
        failure = result.reason as Error;
      }
    }
    if (failuresInARow >= maxFailuresInARow) break;
  }
  if (failure) throw failure;
  return announced;
}

async function announceOne(
  deps: AnnounceChangesDeps,
  change: { digest: string; revision: number },
): Promise<void> {
  await deps.request(requestRescans, change);
  await deps.sets.markAnnounced(change.digest, change.revision);
}
