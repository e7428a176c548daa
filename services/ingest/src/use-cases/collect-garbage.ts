import { findReferences, releaseSets, maxReferences, type ContentNames } from '@bomtrail/messages';
import type { MarkedDocument, Request } from '@bomtrail/service-kit';
import type { Content, GarbageStore } from '../store/garbage-store';

export interface CollectGarbageDeps {
  garbage: GarbageStore;
  request: Request;
  /** How long condemned content stays, in milliseconds: longer than any upload. */
  graceMs: number;
}

/**
 * References to this content are about to go (ADR 0018, first step): it is condemned, whether somebody
 * else refers to it or not. Gives how much of it is here.
 */
export async function markContent(
  deps: Pick<CollectGarbageDeps, 'garbage'>,
  content: ContentNames,
): Promise<number> {
  const now = new Date();
  const documents = await deps.garbage.mark('documents', content.documents, now);
  return documents + (await deps.garbage.mark('sets', content.sets, now));
}

/**
 * The second step, for content that was condemned a grace ago: what an SBOM record refers to is spared,
 * the rest goes unless an upload has used it since. Documents first: a set that one of them has stays.
 * The scanner hears of a set before it goes. Gives how much went.
 */
export async function deleteMarked(deps: CollectGarbageDeps): Promise<number> {
  const { garbage, request } = deps;
  const before = new Date(Date.now() - deps.graceMs);
  let dropped = 0;
  for (;;) {
    const documents = await garbage.due('documents', before, maxReferences);
    const sets = await garbage.due('sets', before, maxReferences);
    if (documents.length + sets.length === 0) return dropped;
    const names = { documents: idsOf(documents), sets: idsOf(sets) };
    const { body: referred } = await request(findReferences, names);
    const gone = await applyUsage(garbage, 'documents', split(documents, referred.documents));
    const inUse = [...referred.sets, ...(await garbage.digestsInUse(names.sets))];
    const left = split(sets, inUse);
    if (left.unused.length > 0) await request(releaseSets, { digests: idsOf(left.unused) });
    dropped += gone + (await applyUsage(garbage, 'sets', left));
  }
}

interface Usage {
  used: MarkedDocument[];
  unused: MarkedDocument[];
}

function split(marked: readonly MarkedDocument[], inUse: readonly string[]): Usage {
  const used = new Set(inUse);
  return {
    used: marked.filter(({ _id }) => used.has(_id)),
    unused: marked.filter(({ _id }) => !used.has(_id)),
  };
}

async function applyUsage(
  garbage: GarbageStore,
  content: Content,
  { used, unused }: Usage,
): Promise<number> {
  await garbage.unmark(content, used);
  return garbage.remove(content, unused);
}

function idsOf(marked: readonly MarkedDocument[]): string[] {
  return marked.map(({ _id }) => _id);
}
