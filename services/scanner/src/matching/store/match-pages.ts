import { createBatcher } from '@bomtrail/concurrency';
import type { Db } from 'mongodb';
import type { MatchedComponent } from '../domain/component';
import { pagesOf } from '../../domain/pages';
import {
  writesPerBatch,
  type MatchPageDocument,
  type SetDocument,
} from './component-set-documents';
import { createGenerations, newGeneration } from './generations';

/** Text of one page: 4 MiB, well below MongoDB's 16 MiB. Most sets have one page. */
const textPerPage = 4 * 1024 * 1024;
const componentsPerPage = 5000;

/** Splits matched components into pages; the first one is stored in the set's document. */
export function matchPagesOf(all: readonly MatchedComponent[]): {
  matched: MatchedComponent[];
  further: MatchedComponent[][];
} {
  const [matched = [], ...further] = pagesOf(all, {
    items: componentsPerPage,
    size: textPerPage,
    sizeOf: (component) =>
      component.purl.length + component.package_name.length + component.package_version.length,
  });
  return { matched, further };
}

export type MatchPages = ReturnType<typeof createMatchPages>;

/** The further pages of sets with very many matched components. */
export function createMatchPages(db: Db) {
  const pages = db.collection<MatchPageDocument>('component_set_matches');
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
    async save(digest: string, revision: number, further: MatchedComponent[][]): Promise<void> {
      for (const [number, matched] of further.entries()) {
        const _id = `${digest}:${revision}:${number}`;
        const page = { digest, revision, matched, generation: newGeneration() };
        await pages.replaceOne({ _id }, page, { upsert: true });
      }
    },

    /** Visits the pages one by one; false when another summary replaced this one meanwhile. */
    async visit(set: SetDocument, see: (matched: MatchedComponent[]) => void): Promise<boolean> {
      for (let page = 0; page < (set.further_pages ?? 0); page += 1) {
        const found = await pages.findOne({ _id: `${set._id}:${set.revision}:${page}` });
        if (!found) return false;
        see(found.matched);
      }
      return true;
    },

    /** Pages of later revisions stay: their summary is about to be saved. */
    removeOlder: (digest: string, revision: number): Promise<void> =>
      removeOlder({ digest, revision }),

    find: generations.find,
    remove: generations.remove,
  };
}
