import { createBatcher } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';
import type { Hit } from '../domain/component';
import { pagesOf } from '../domain/pages';
import { writesPerBatch, type HitPageDocument, type SetDocument } from './component-set-documents';
import { createGenerations, newGeneration } from './generations';

/** A page of hits ends at 4 MiB of text, far below MongoDB's 16 MiB; most sets need one. */
const hitTextPerPage = 4 * 1024 * 1024;
const hitsPerPage = 5000;

/** The hits of a set in pages: the first one stands in the set's own document. */
export function hitPagesOf(all: readonly Hit[]): { hits: Hit[]; further: Hit[][] } {
  const [hits = [], ...further] = pagesOf(all, {
    items: hitsPerPage,
    size: hitTextPerPage,
    sizeOf: (hit) => hit.purl.length + hit.package_name.length + hit.package_version.length,
  });
  return { hits, further };
}

/** The further pages of hits of the sets that have very many. */
export function createHitPages(db: Db) {
  const pages = db.collection<HitPageDocument>('component_set_hits');
  const generations = createGenerations(pages);

  const removeOlder = createBatcher<{ digest: string; revision: number }, void>(async (sets) => {
    await pages.bulkWrite(
      sets.map(({ digest, revision }) => ({
        deleteMany: { filter: { digest, revision: { $lt: revision } } },
      })),
      { ordered: false },
    );
    return sets.map(() => undefined);
  }, writesPerBatch);

  return {
    async save(digest: string, revision: number, further: Hit[][]): Promise<void> {
      for (const [number, hits] of further.entries()) {
        const _id = `${digest}:${revision}:${number}`;
        const page = { digest, revision, hits, generation: newGeneration() };
        await pages.replaceOne({ _id }, page, { upsert: true });
      }
    },

    /**
     * Hands over one page after the other; false when another summary has taken the place of this one in
     * between.
     */
    async visit(set: SetDocument, see: (hits: Hit[]) => void): Promise<boolean> {
      for (let page = 0; page < (set.further_pages ?? 0); page += 1) {
        const found = await pages.findOne({ _id: `${set._id}:${set.revision}:${page}` });
        if (!found) return false;
        see(found.hits);
      }
      return true;
    },

    /** Those of later revisions stay: somebody is about to save the summary that they belong to. */
    removeOlder: (digest: string, revision: number): Promise<void> =>
      removeOlder({ digest, revision }),

    find: generations.find,
    remove: generations.remove,
  };
}
