import { scanRequested, type SbomReference } from '@bomtrail/messages';
import type { PublishOrThrow } from '@bomtrail/messaging';
import { currentTraceparent, resumed, type Tracer } from '@bomtrail/telemetry';
import { loadsToAwait, type FeedPlan, type PolledState } from './domain/feed-waiting';
import type { FeedStateStore } from './store/feed-state-store';
import type { WaitingScan, WaitingScanStore } from './store/waiting-scan-store';
import type { WantedEcosystemStore } from './store/wanted-ecosystem-store';
import type { EvaluationCause } from '../matching/scan-component-set';

export interface AwaitFeedsDeps {
  feed: FeedStateStore;
  feedPlan: FeedPlan;
  wanted: WantedEcosystemStore;
  waiting: WaitingScanStore;
  publishOrThrow: PublishOrThrow;
  tracer: Tracer | undefined;
}

/** The set needs advisories whose first load has not finished. */
export class FeedsAwaited extends Error {
  /** @param ecosystems all ecosystems of the set */
  constructor(readonly ecosystems: string[]) {
    super('the first load of the advisories has not finished');
  }
}

/**
 * Records the ecosystems of a set, which makes the feed loop load new ones.
 *
 * @param at `state`: may be slightly old; `parkScan` checks again
 * @throws FeedsAwaited when an upload has to wait for a first load; sets evaluated before do not
 *   wait
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
 * Stores a scan until its loads have finished. Checks once more afterwards, in case a load finished
 * meanwhile.
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

/** Publishes the scans that no longer wait; after a crash some twice. Returns their number. */
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
  // A new attempt number, so that the broker does not drop the message as a duplicate.
  const attempt = Math.max(Math.floor(Date.now() / 1000), scan.attempt + 1);
  const from = { tracer: deps.tracer, traceparents: [traceparent] };
  await resumed(from, { name: 'resume a waiting scan' }, () =>
    deps.publishOrThrow(scanRequested, { ...scan, attempt }),
  );
  await deps.waiting.remove(scan);
}
