import { findReferences, releaseSets, maxReferences, type ContentNames } from '@bomtrail/messages';
import type { MarkedDocument } from '@bomtrail/deletion';
import type { Request } from '@bomtrail/messaging';
import type { Content, GarbageStore } from '../store/garbage-store';

export interface CollectGarbageDeps {
  garbage: GarbageStore;
  request: Request;
  /** Grace period of marked content in milliseconds; longer than any upload. */
  graceMs: number;
}

/**
 * Marks content that is about to lose a reference (ADR 0018, first step), even if others refer to
 * it. Returns the number of marked documents and sets.
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
 * Deletes content marked one grace period ago, unless an SBOM record refers to it or an upload has
 * used it since (second step). A set also stays while a document refers to it. Sets are released at
 * the scanner first. Returns the number of deletions.
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
