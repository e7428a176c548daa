import { findingsChanged } from '@bomtrail/messages';
import type { Publish } from '@bomtrail/service-kit';
import type { ComponentSetStore } from '../store/component-set-store';
import type { FeedStateStore } from '../store/feed-state-store';

export interface AnnounceChangesDeps {
  feed: FeedStateStore;
  sets: ComponentSetStore;
  publish: Publish;
}

const perRead = 200;

/**
 * Tells the others which component sets changed; only what is settled, so that whoever reads the
 * findings then reads those of the revision. Gives the number of sets.
 *
 * @throws Error when the bus does not take a message: the rest stays noted and is told later
 */
export async function announceChanges(deps: AnnounceChangesDeps): Promise<number> {
  const { settled_revision: settled } = await deps.feed.read();
  let announced = 0;
  for (;;) {
    const page = await deps.sets.listUnannounced(settled, perRead);
    for (const { _id: digest, changed_revision: revision = 0 } of page) {
      await deps.publish(findingsChanged, { digest, revision });
      await deps.sets.markAnnounced(digest, revision);
    }
    announced += page.length;
    if (page.length < perRead) return announced;
  }
}
