import type { SbomFormat } from '@bomtrail/messages';
import {
  condemnedIndex,
  createBatcher,
  knownAlready,
  lifted,
  type Condemnable,
  type IndexPlan,
} from '@bomtrail/service-kit';
import type { Collection, Db } from 'mongodb';
import type { BlobStore, StoredBlob } from './blob-store';

/** An uploaded document, kept by the SHA-256 of its bytes. */
export interface DocumentRecord extends Condemnable {
  size: number;
  format: SbomFormat;
  spec_version: string;
  root_name: string | null;
  /** Digest of its component set. */
  digest: string;
  dependency_count: number;
  created_at: Date;
  /** The bytes, gzip'd. */
  blob: StoredBlob;
}

/** The dependencies of one or many documents, kept by their digest. */
export interface ComponentSetRecord extends Condemnable {
  count: number;
  created_at: Date;
  /** JSON array of dependencies, gzip'd. */
  blob: StoredBlob;
}

const inFile = { partialFilterExpression: { 'blob.file_id': { $exists: true } } };

export const documentIndexes: IndexPlan = {
  documents: [condemnedIndex, { key: { digest: 1 } }, { key: { 'blob.file_id': 1 }, ...inFile }],
  component_sets: [condemnedIndex, { key: { 'blob.file_id': 1 }, ...inFile }],
};

const batchSize = 64;

export type DocumentStore = ReturnType<typeof createDocumentStore>;

/** Documents and component sets, both kept by content: storing one twice changes nothing. */
export function createDocumentStore(db: Db, blobs: BlobStore) {
  const documents = db.collection<DocumentRecord>('documents');
  const sets = db.collection<ComponentSetRecord>('component_sets');
  const keepDocument = createKeep(documents, blobs);
  const keepSet = createKeep(sets, blobs);

  return {
    /**
     * What is known of a document, without its bytes. Where it or its component set is condemned, the
     * mark is lifted in the write that finds it: it is in use from here on. Null also when its set is
     * gone: both are to be kept again.
     */
    async know(sha256: string): Promise<Omit<DocumentRecord, 'blob'> | null> {
      const without = { projection: { blob: 0 } } as const;
      const known = await documents.findOne({ _id: sha256 }, without);
      if (!known?.condemned_at) return known;
      const set = await sets.updateOne({ _id: known.digest }, lifted);
      if (set.matchedCount === 0) return null;
      return documents.findOneAndUpdate({ _id: sha256 }, lifted, {
        ...without,
        returnDocument: 'after',
      });
    },

    /** Is the set there? One that is condemned is not any more. */
    async useSet(digest: string): Promise<boolean> {
      const used = await sets.updateOne({ _id: digest }, lifted);
      return used.matchedCount === 1;
    },

    keepDocument: (record: Omit<DocumentRecord, 'blob'>, bytes: Uint8Array) =>
      keepDocument(record, bytes),

    keepSet: (record: Omit<ComponentSetRecord, 'blob'>, bytes: Uint8Array) =>
      keepSet(record, bytes),

    /** The document's gzip'd bytes and unpacked size; null when it is not here. */
    async readDocument(sha256: string): Promise<{ size: number; bytes: Uint8Array } | null> {
      const found = await documents.findOne({ _id: sha256 });
      return found && { size: found.size, bytes: await blobs.get(found.blob) };
    },

    /** How many dependencies a set has; null when it is not here. */
    async sizeOfSet(digest: string): Promise<number | null> {
      const found = await sets.findOne({ _id: digest }, { projection: { count: 1 } });
      return found && found.count;
    },

    async readSet(digest: string): Promise<{ count: number; bytes: Uint8Array } | null> {
      const found = await sets.findOne({ _id: digest });
      return found && { count: found.count, bytes: await blobs.get(found.blob) };
    },
  };
}

/** Keeps content that may be there already; then it is condemned no more, and the new bytes go. */
function createKeep<Kept extends Condemnable & { blob: StoredBlob }>(
  collection: Collection<Kept>,
  blobs: BlobStore,
): (record: Omit<Kept, 'blob'>, bytes: Uint8Array) => Promise<void> {
  const kept = collection as unknown as Collection<Condemnable>;
  const insert = createBatcher<Kept, 'new' | 'known'>(async (records) => {
    const known = await knownAlready(
      kept.insertMany(records as unknown as Condemnable[], { ordered: false }),
    );
    return records.map((_, index) => (known.has(index) ? 'known' : 'new'));
  }, batchSize);

  return async (record, bytes) => {
    const blob = await blobs.put(bytes);
    const full = { ...record, blob } as Kept;
    for (;;) {
      if ((await insert(full)) === 'new') return;
      const used = await kept.updateOne({ _id: full._id }, lifted);
      // It went between the two: it is kept anew.
      if (used.matchedCount === 0) continue;
      return blobs.drop(blob);
    }
  };
}
