import { maxChangedPackages, maxRescannedSets, requestRescans } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { pagesOf } from '../domain/pages';
import type { ComponentSetStore } from '../matching/store/component-set-store';
import type { SetChange } from '../matching/store/set-changes';
import type { FeedStateStore } from '../feeds/store/feed-state-store';

export interface PublishChangesDeps {
  feed: FeedStateStore;
  sets: ComponentSetStore;
  request: Request;
}

const atOnce = 8;
/** After so many consecutive failures the catalog is unavailable; the next sweep retries. */
const maxFailuresInARow = 64;

/**
 * Requests the rescans of component sets with applied changes. Sets of one revision are sent
 * together, so that a service with several of them is rescanned once. If that fails they are sent
 * one by one; failed sets stay unpublished and do not block the others.
 *
 * @returns the number of sets
 * @throws the last failure, after all sets were tried
 */
export async function publishChanges(deps: PublishChangesDeps): Promise<number> {
  const { applied_revision: applied } = await deps.feed.read();
  let published = 0;
  let failuresInARow = 0;
  let failure: Error | null = null;
  const publish = async (
    changes: readonly SetChange[],
    packages: readonly string[] | null,
  ): Promise<boolean> => {
    try {
      await publishBatch(deps, changes, packages);
    } catch (error) {
      failure = error as Error;
      return false;
    }
    published += changes.length;
    return true;
  };
  for await (const page of deps.sets.listUnpublished(applied, maxRescannedSets)) {
    for (const sameRevision of byRevision(page)) {
      const packages = packagesOf(sameRevision);
      if (await publish(sameRevision, packages)) continue;
      for (const some of pagesOf(sameRevision, { items: atOnce })) {
        const results = await Promise.all(some.map((change) => publish([change], packages)));
        failuresInARow = results.includes(true) ? 0 : failuresInARow + some.length;
        if (failuresInARow >= maxFailuresInARow)
          throw failure ?? new Error('no rescan could be requested');
      }
    }
  }
  if (failure) throw failure as Error;
  return published;
}

/** Packages of all sets together: a service may use several of them. */
function packagesOf(changes: readonly SetChange[]): string[] | null {
  const all = new Set<string>();
  for (const { packages } of changes) {
    if (packages === null) return null;
    for (const one of packages) all.add(one);
  }
  return all.size > maxChangedPackages ? null : [...all].sort();
}

async function publishBatch(
  deps: PublishChangesDeps,
  changes: readonly SetChange[],
  packages: readonly string[] | null,
): Promise<void> {
  const [first] = changes;
  if (!first) return;
  const { revision } = first;
  const digests = changes.map(({ digest }) => digest);
  const moments = changes.flatMap(({ changed_at }) => (changed_at ? [changed_at.getTime()] : []));
  const changed_at = moments.length > 0 ? new Date(Math.min(...moments)).toISOString() : null;
  const change = { digests, revision, changed_at };
  await deps.request(requestRescans, { ...change, packages: packages && [...packages] });
  await deps.sets.markPublished(digests, revision);
}

function byRevision(changes: readonly SetChange[]): SetChange[][] {
  const groups = new Map<number, SetChange[]>();
  for (const change of changes) {
    const group = groups.get(change.revision);
    if (group) group.push(change);
    else groups.set(change.revision, [change]);
  }
  return [...groups.values()];
}
