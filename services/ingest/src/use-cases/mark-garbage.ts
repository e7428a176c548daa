import { findReferences } from '@bomtrail/messages';
import type { CollectGarbageDeps } from './collect-garbage';

/**
 * Looks at the next page of all content and condemns what nothing refers to: that of uploads which
 * were never registered, of a delete of which ingest did not hear, and of releases that collected
 * nothing. Files to which nothing refers go at once. Gives how much was condemned or dropped.
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
