import { findReferences } from '@bomtrail/messages';
import type { CollectGarbageDeps } from './collect-garbage';

/**
 * Marks unreferenced content of the next page, for example of uploads that were never registered.
 * Unreferenced files are deleted at once. Returns the number of marks and deletions.
 */
export async function markGarbage(deps: CollectGarbageDeps): Promise<number> {
  const { garbage, request } = deps;
  let found = 0;
  await garbage.walk('documents', async (documents) => {
    const { body: referred } = await request(findReferences, { documents, sets: [] });
    found += await garbage.markUnreferenced(
      'documents',
      without(documents, referred.documents),
      new Date(),
    );
  });
  await garbage.walk('sets', async (sets) => {
    const inUse = await garbage.digestsInUse(sets);
    const { body: referred } = await request(findReferences, {
      documents: [],
      sets: without(sets, inUse),
    });
    const unused = without(sets, [...inUse, ...referred.sets]);
    found += await garbage.markUnreferenced('sets', unused, new Date());
  });
  return found + (await garbage.dropOrphanFiles(new Date(Date.now() - deps.graceMs)));
}

function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return all.filter((one) => !left.has(one));
}
