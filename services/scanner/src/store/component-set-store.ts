import { AppError } from '@bomtrail/messages';
import { createBatcher, knownAlready } from '@bomtrail/service-kit';
import { type Db } from 'mongodb';
import type { Hit } from '../domain/component';
import type { SetCounts, SetSummary } from '../domain/component-set';
import { writesPerBatch, type SetDocument } from './component-set-documents';
import { createHitPages, hitPagesOf } from './hit-pages';
import { createSetMembers } from './set-members';

/** A set that was evaluated. */
export interface EvaluatedSet {
  digest: string;
  revision: number;
  counts: SetCounts;
  hits: Hit[];
}

/** Summaries that took the place of the one before it was read whole, after which the reader gives up. */
const maxRounds = 5;

export type ComponentSetStore = ReturnType<typeof createComponentSetStore>;

/** Component sets: which package versions they hold, and what is found in them. */
export function createComponentSetStore(db: Db) {
  const sets = db.collection<SetDocument>('component_sets');
  const members = createSetMembers(db);
  const hitPages = createHitPages(db);

  const saveDocument = createBatcher<SetDocument, boolean>(async (documents) => {
    const outdated = await knownAlready(
      sets.bulkWrite(
        documents.map(({ _id, ...fields }) => ({
          updateOne: {
            filter: { _id, revision: { $lte: fields.revision } },
            update: { $set: fields },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
    return documents.map((_document, index) => !outdated.has(index));
  }, writesPerBatch);

  const readDocument = createBatcher<string, SetDocument | undefined>(async (digests) => {
    const found = await sets.find({ _id: { $in: digests } }).toArray();
    const byDigest = new Map(found.map((document) => [document._id, document]));
    return digests.map((digest) => byDigest.get(digest));
  }, writesPerBatch);

  return {
    addMembers: members.add,
    listHolders: members.listHolders,

    async isEvaluated(digest: string): Promise<boolean> {
      return (await readDocument(digest))?.counts !== undefined;
    },

    /** The counts of a set without its hits, null when it was not evaluated. */
    async readCounts(digest: string): Promise<SetCounts | null> {
      const found = await sets.findOne({ _id: digest }, { projection: { counts: 1 } });
      return found?.counts ?? null;
    },

    /**
     * A set with its hits, null when it was not evaluated.
     *
     * @throws AppError `service_unavailable` when its hits keep changing while they are read
     */
    async read(digest: string): Promise<EvaluatedSet | null> {
      for (let round = 0; round < maxRounds; round += 1) {
        const found = await readDocument(digest);
        if (!found?.counts || !found.hits) return null;
        const { revision, counts, hits } = found;
        if (!found.further_pages) return { digest, revision, counts, hits };
        const further = await hitPages.read(found);
        if (further) return { digest, revision, counts, hits: [...hits, ...further] };
      }
      throw new AppError('service_unavailable', 'The findings keep changing: repeat the request.');
    },

    /**
     * Saves what was found in a set at a revision; false when something later is known about the set.
     *
     * @param change true when the set was evaluated before and the others are to be told
     */
    async save(
      digest: string,
      summary: SetSummary,
      at: { revision: number; change: boolean },
    ): Promise<boolean> {
      const { revision } = at;
      const { hits, further } = hitPagesOf(summary.hits);
      await hitPages.save(digest, revision, further);
      const saved = await saveDocument({
        _id: digest,
        revision,
        counts: summary.counts,
        hits,
        further_pages: further.length,
        ...(at.change ? { changed_revision: revision, unannounced: true } : {}),
      });
      if (further.length > 0 || at.change) {
        const current = await readDocument(digest);
        if (current) await hitPages.removeOlder(digest, current.revision);
      }
      return saved;
    },

    /** Notes that the findings of sets changed though their hits and counts did not. */
    async markChanged(digests: string[], revision: number): Promise<void> {
      if (digests.length === 0) return;
      await sets.updateMany(
        { _id: { $in: digests }, revision: { $lt: revision } },
        { $set: { changed_revision: revision, unannounced: true } },
      );
    },

    /**
     * Takes note that a change of the revision reached the sets. A scan of one that is not stored yet
     * is begun again at this revision. Gives those that were evaluated at an older one.
     */
    async holdAt(digests: string[], revision: number): Promise<string[]> {
      await sets.bulkWrite(
        digests.map((digest) => ({
          updateOne: {
            filter: { _id: digest },
            update: { $setOnInsert: { revision } },
            upsert: true,
          },
        })),
        { ordered: false },
      );
      const older = await sets
        .find(
          { _id: { $in: digests }, revision: { $lt: revision }, counts: { $exists: true } },
          { projection: { _id: 1 } },
        )
        .toArray();
      return older.map(({ _id }) => _id);
    },

    /** Forgets a set whose components are stored nowhere any more. */
    async remove(digest: string): Promise<void> {
      await sets.deleteOne({ _id: digest });
      await hitPages.remove(digest);
      await members.remove(digest);
    },

    /** Sets whose change, up to the revision, was not announced yet, some at a time. */
    async *listUnannounced(
      revision: number,
      perPage: number,
    ): AsyncGenerator<{ digest: string; revision: number }[]> {
      // In small batches: the cursor is not to expire while the reader waits for others.
      const found = sets.find(
        { unannounced: true, changed_revision: { $lte: revision } },
        { projection: { changed_revision: 1 }, batchSize: perPage },
      );
      let page: { digest: string; revision: number }[] = [];
      for await (const { _id, changed_revision = 0 } of found) {
        page.push({ digest: _id, revision: changed_revision });
        if (page.length < perPage) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },

    async markAnnounced(digest: string, revision: number): Promise<void> {
      await sets.updateOne(
        { _id: digest, changed_revision: revision },
        { $set: { announced_revision: revision }, $unset: { unannounced: true } },
      );
    },
  };
}
