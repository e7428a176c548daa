import { createMarks, type MarkedDocument } from '@bomtrail/deletion';
import { createWalk } from '@bomtrail/mongo';
import type { Collection, Db, ObjectId } from 'mongodb';
import type { BlobStore } from './blob-store';
import type { ComponentSetRecord, DocumentRecord } from './document-store';
import type { FreshSets } from './fresh-sets';

interface StoredFile {
  _id: ObjectId;
  uploadDate: Date;
}

/** Ids of one step of a walk. */
const perStep = 1_000;

export type GarbageStore = ReturnType<typeof createGarbageStore>;
export type Content = 'documents' | 'sets';

/**
 * Mark-and-sweep of documents and component sets.
 *
 * @param fresh drops marked sets
 */
export function createGarbageStore(db: Db, blobs: BlobStore, fresh: FreshSets) {
  const documents = db.collection<DocumentRecord>('documents');
  const sets = db.collection<ComponentSetRecord>('component_sets');
  const files: Collection<StoredFile> = db.collection('blobs.files');
  const walk = createWalk(db, perStep);
  const of = { documents: createMarks(documents), sets: createMarks(sets) };
  const collections = { documents, sets };

  async function removeOne(content: Content, { _id, marked_at }: MarkedDocument): Promise<number> {
    const same = { _id, marked_at };
    const found =
      content === 'documents'
        ? await documents.findOneAndDelete(same, { projection: deletedFields })
        : await sets.findOneAndDelete(same, { projection: deletedFields });
    if (!found) return 0;
    // Deleted afterwards: an orphaned blob is better than a reference to a missing one.
    if (found.blob && 'file_id' in found.blob) await blobs.drop(found.blob);
    return 1;
  }

  /** Returns the digests that the content refers to, and the ids with bytes in GridFS. */
  async function inspect(content: Content, ids: string[]) {
    const where = { _id: { $in: ids } };
    const found =
      content === 'documents'
        ? await documents.find(where, { projection: deletedFields }).toArray()
        : await sets.find(where, { projection: deletedFields }).toArray();
    const inFiles = found.filter(({ blob }) => blob && 'file_id' in blob).map(({ _id }) => _id);
    const digests = found.flatMap((one) => ('digest' in one ? [one.digest] : []));
    return { inFiles: new Set(inFiles), digests };
  }

  return {
    async mark(content: Content, ids: readonly string[], now: Date): Promise<number> {
      if (content === 'sets') for (const digest of ids) fresh.delete(digest);
      return of[content].mark(ids, now);
    },
    markUnreferenced: (content: Content, ids: readonly string[], now: Date) =>
      of[content].markUnreferenced(ids, now),
    due: (content: Content, before: Date, limit: number) => of[content].due(before, limit),
    unmark: (content: Content, marked: readonly MarkedDocument[]) => of[content].unmark(marked),

    /**
     * Deletes content whose mark did not change; returns the number. The sets of deleted documents
     * are marked.
     */
    async remove(content: Content, marked: readonly MarkedDocument[]): Promise<number> {
      if (marked.length === 0) return 0;
      const ids = marked.map(({ _id }) => _id);
      const { inFiles, digests } = await inspect(content, ids);
      let removed = await of[content].remove(marked.filter(({ _id }) => !inFiles.has(_id)));
      for (const one of marked) if (inFiles.has(one._id)) removed += await removeOne(content, one);
      await of.sets.markUnreferenced(digests, new Date());
      return removed;
    },

    /** Filters the digests used by a stored document. */
    async digestsInUse(digests: readonly string[]): Promise<string[]> {
      return documents.distinct('digest', { digest: { $in: [...digests] } });
    },

    /** Filters the digests of stored sets. */
    async listStored(digests: readonly string[]): Promise<string[]> {
      const found = await sets
        .find({ _id: { $in: [...digests] } }, { projection: { _id: 1 } })
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /** Visits the next page of all content; one step per call. */
    walk: (content: Content, visit: (ids: string[]) => Promise<void>): Promise<void> =>
      walk(content, async (after, limit) => {
        const found = await collections[content]
          .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        const ids = found.map(({ _id }) => _id);
        if (ids.length > 0) await visit(ids);
        return ids;
      }),

    /** Deletes unreferenced GridFS files older than the given time; returns the number. */
    async dropOrphanFiles(before: Date): Promise<number> {
      const orphans = await files
        .aggregate<{ _id: ObjectId }>([
          { $match: { uploadDate: { $lte: before } } },
          lookupReferences('documents'),
          { $match: { documents: [] } },
          lookupReferences('component_sets'),
          { $match: { component_sets: [] } },
          { $project: { _id: 1 } },
          { $limit: perStep },
        ])
        .toArray();
      for (const { _id } of orphans) await blobs.drop({ file_id: _id });
      return orphans.length;
    },
  };
}

const deletedFields = { digest: 1, 'blob.file_id': 1 } as const;

function lookupReferences(from: 'documents' | 'component_sets') {
  const pipeline = [{ $limit: 1 }, { $project: { _id: 1 } }];
  return {
    $lookup: { from, localField: '_id', foreignField: 'blob.file_id', pipeline, as: from },
  };
}
