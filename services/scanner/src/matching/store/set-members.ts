import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import { createBatcher } from '@bomtrail/concurrency';
import type { Db } from 'mongodb';
import { pagesOf } from '../../domain/pages';
import { writesPerBatch, type MembersDocument } from './component-set-documents';
import { createGenerations, newGeneration } from './generations';

/** Ids in one document; 5,000 are about 140 KB. */
const membersPerPage = 5000;
/** Ids in one query, far below MongoDB's 16 MiB. */
const idsPerRead = 50_000;

export type SetMembers = ReturnType<typeof createSetMembers>;

/** The index "package version → component sets". */
export function createSetMembers(db: Db) {
  const members = db.collection<MembersDocument>('component_set_members');
  const generations = createGenerations(members);

  const write = createBatcher<MembersDocument, void>(async (documents) => {
    await members.bulkWrite(
      documents.map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id }, replacement, upsert: true },
      })),
      { ordered: false },
    );
    return documents.map(() => undefined);
  }, writesPerBatch);

  return {
    /** Stores the package versions of a set; from now on changes of them affect the set. */
    async add(digest: string, versionIds: Iterable<string>): Promise<void> {
      const writes: Promise<void>[] = [];
      const rules = MATCHING_RULES_VERSION;
      const generation = newGeneration();
      const pages = pagesOf(versionIds, { items: membersPerPage });
      for (const [page, versions] of pages.entries())
        writes.push(
          write({ _id: `${digest}:${rules}:${page}`, digest, versions, rules, generation }),
        );
      await Promise.all(writes);
    },

    /** Deletes the pages of other rules after the set was evaluated by the current ones. */
    async removeOtherRules(digest: string): Promise<void> {
      await members.deleteMany({ digest, rules: { $ne: MATCHING_RULES_VERSION } });
    },

    /** Distinct sets that contain one of the package versions. */
    async listSetsContaining(versionIds: string[]): Promise<string[]> {
      const digests = new Set<string>();
      for (const some of pagesOf(versionIds, { items: idsPerRead })) {
        const found = members.find(
          { versions: { $in: some } },
          { projection: { _id: 0, digest: 1 }, batchSize: 5000 },
        );
        for await (const { digest } of found) digests.add(digest);
      }
      return [...digests];
    },

    /**
     * The sets that contain some of the ids, with the ids of each page; a set may occur several
     * times.
     */
    async *listContaining(ids: string[]): AsyncGenerator<{ digest: string; contained: string[] }> {
      for (const some of pagesOf(ids, { items: membersPerPage })) {
        yield* members.aggregate<{ digest: string; contained: string[] }>(
          [
            { $match: { versions: { $in: some } } },
            {
              $project: { _id: 0, digest: 1, contained: { $setIntersection: ['$versions', some] } },
            },
          ],
          { batchSize: 5000 },
        );
      }
    },

    find: generations.find,
    remove: generations.remove,
  };
}
