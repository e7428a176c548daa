import { scanRequested, type SbomReference } from '@bomtrail/messages';
import {
  currentTraceparent,
  resumed,
  type PublishOrThrow,
  type Tracer,
} from '@bomtrail/service-kit';
import { loadsToAwait, type FeedPlan, type PolledState } from '../domain/feed-waiting';
import type { FeedStateStore } from '../store/feed-state-store';
import type { WaitingScan, WaitingScanStore } from '../store/waiting-scan-store';
import type { WantedEcosystemStore } from '../store/wanted-ecosystem-store';
import type { EvaluationCause } from './scan-component-set';

export interface AwaitFeedsDeps {
  feed: FeedStateStore;
  feedPlan: FeedPlan;
  wanted: WantedEcosystemStore;
  waiting: WaitingScanStore;
  publishOrThrow: PublishOrThrow;
  tracer: Tracer | undefined;
}

/** A scan that cannot be done yet: its set needs advisories whose first load is still to end. */
export class FeedsAwaited extends Error {
  /** @param ecosystems all those of the set */
  constructor(readonly ecosystems: string[]) {
    super('the first load of the advisories is awaited');
  }
}

/**
 * Notes of which ecosystems the advisories are needed, which makes the feed loop load those that are
 * new to it.
 *
 * @param at.state of a moment ago: a load that ended since is seen when the scan is parked
 * @throws FeedsAwaited when an upload is to wait for the first load of one of them; what was
 *   evaluated before does not wait
 */
export async function requireFeeds(
  deps: AwaitFeedsDeps,
  set: { versions: ReadonlyMap<string, { ecosystem: string }> },
  at: { cause: EvaluationCause; state: PolledState },
): Promise<void> {
  const ecosystems = new Set<string>();
  for (const { ecosystem } of set.versions.values()) ecosystems.add(ecosystem);
  await deps.wanted.add(ecosystems);
  if (at.cause !== 'upload') return;
  const awaited = loadsToAwait(ecosystems, at.state, deps.feedPlan);
  if (awaited.length > 0) throw new FeedsAwaited([...ecosystems]);
}

/**
 * Keeps a scan for the time when the loads that it waits for have ended. One that ended while the
 * scan was being stored may have been looked at too early: so it is looked at once more.
 */
export async function parkScan(
  deps: AwaitFeedsDeps,
  scan: SbomReference,
  ecosystems: string[],
): Promise<void> {
  await deps.waiting.park({ scan, ecosystems, traceparent: currentTraceparent() });
  if (loadsToAwait(ecosystems, await deps.feed.read(), deps.feedPlan).length === 0)
    await release(deps, { scan });
}

const atOnce = 32;

/**
 * Asks again for the scans that wait for nothing any more. A crash in between asks twice, which is
 * cheap. Gives their number.
 */
export async function releaseWaitingScans(deps: AwaitFeedsDeps): Promise<number> {
  const state = await deps.feed.read();
  let released = 0;
  let some: Promise<void>[] = [];
  for await (const { scan, ecosystems, traceparent } of deps.waiting.list()) {
    if (loadsToAwait(ecosystems, state, deps.feedPlan).length > 0) continue;
    released += 1;
    some.push(release(deps, { scan, traceparent }));
    if (some.length < atOnce) continue;
    await Promise.all(some);
    some = [];
  }
  await Promise.all(some);
  return released;
}

async function release(
  deps: AwaitFeedsDeps,
  { scan, traceparent }: Pick<WaitingScan, 'scan' | 'traceparent'>,
): Promise<void> {
  // Like a sweep: the broker's duplicate window is not to swallow what it has seen before.
  const attempt = Math.max(Math.floor(Date.now() / 1000), scan.attempt + 1);
  const from = { tracer: deps.tracer, traceparents: [traceparent] };
  await resumed(from, { name: 'go on with a waiting scan' }, () =>
    deps.publishOrThrow(scanRequested, { ...scan, attempt }),
  );
  await deps.waiting.remove(scan);
}
