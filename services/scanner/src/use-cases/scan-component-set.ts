import { AppError } from '@bomtrail/messages';
import { summariseSet, type PlacedSet, type SetSummary } from '../domain/component-set';
import type { ComponentSetStore } from '../store/component-set-store';
import type { FeedStateStore } from '../store/feed-state-store';
import { assessVersions, type AssessVersionsDeps } from './assess-versions';
import { withPlacedSet, type PlaceComponentsDeps } from './place-components';

export interface ScanDeps extends AssessVersionsDeps, PlaceComponentsDeps {
  feed: FeedStateStore;
  sets: ComponentSetStore;
  countSet(cause: 'upload' | 'change', summary: SetSummary): void;
}

/** Advisory changes during one scan after which it is left to a later delivery. */
const maxRounds = 20;

/**
 * Makes sure that a component set is evaluated; one that was before costs nothing.
 *
 * The order closes the race with feeds: first the index "package version → set" is written, then the
 * revision is read. A feed commits its revision first and reads the index then, so whichever comes
 * second sees the other. What was assessed while the revision moved is assessed again, and a set is
 * never saved over what a later revision knows about it.
 *
 * @throws AppError `service_unavailable` while no advisories are loaded, `sbom_not_found` when ingest
 *   does not hold the components
 */
export async function scanComponentSet(deps: ScanDeps, digest: string): Promise<void> {
  if (await deps.sets.isEvaluated(digest)) return;
  await withPlacedSet(deps, digest, async (set) => {
    await deps.sets.addMembers(digest, set.versions.keys());
    for (let round = 0; round < maxRounds; round += 1) {
      if (await scanOnce(deps, digest, set)) return;
    }
    throw new AppError('service_unavailable', 'The advisories keep changing; it is tried again.');
  });
}

/** False when the revision moved under it. */
async function scanOnce(deps: ScanDeps, digest: string, set: PlacedSet): Promise<boolean> {
  const state = await deps.feed.read();
  if (state.data === 'none') {
    throw new AppError('service_unavailable', 'No advisories are loaded yet; it is tried again.');
  }
  const { assessments, evaluated } = await assessVersions(deps, set.versions, state);
  if (evaluated > 0 && (await deps.feed.read()).revision !== state.revision) return false;
  const summary = summariseSet(set, assessments);
  const at = { revision: state.revision, change: false };
  if (!(await deps.sets.save(digest, summary, at))) return false;
  deps.countSet('upload', summary);
  return true;
}
