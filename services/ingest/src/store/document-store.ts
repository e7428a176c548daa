import type { SbomFormat } from '@bomtrail/messages';
import { createBatcher, knownAlready } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';
import type { BlobStore, StoredBlob } from './blob-store';

/** An uploaded document, kept by the SHA-256 of its bytes. */
export interface DocumentRecord {
  _id: string;
  size: number;
  format: SbomFormat;
  spec_version: string;
  root_name: string | null;
  /** Digest of its component set. */
  digest: string;
  dependency_count: number;
  created_at: Date;
  /** Renewed when the document is uploaded again: it is in use. */
  touched_at: Date;
  /** The bytes, gzip'd. */
  blob: StoredBlob;
}

/** The dependencies of one or many documents, kept by their digest. */
export interface ComponentSetRecord {
  _id: string;
  count: number;
  created_at: Date;
  touched_at: Date;
  /** JSON array of dependencies, gzip'd. */
  blob: StoredBlob;
}

/** An upload renews `touched_at` only when it is older than this: most repeats cost no write. */
const renewAfterMs = 10 * 60 * 1000;
const batchSize = 64;

export type DocumentStore = ReturnType<typeof createDocumentStore>;

/** Documents and component sets, both kept by content: storing one twice changes nothing. */
export function createDocumentStore(db: Db, blobs: BlobStore) {
  const documents = db.collection<DocumentRecord>('documents');
  const sets = db.collection<ComponentSetRecord>('component_sets');

  const insertDocument = batchedInsert(documents.insertMany.bind(documents));
  const insertSet = batchedInsert(sets.insertMany.bind(sets));

  return {
    /** What is known of a document, without its bytes; a hit counts as use. */
    async know(sha256: string, now: Date): Promise<Omit<DocumentRecord, 'blob'> | null> {
      const known = await documents.findOne({ _id: sha256 }, { projection: { blob: 0 } });
      if (!known || now.getTime() - known.touched_at.getTime() < renewAfterMs) return known;
      const touch = { $set: { touched_at: now } };
      await Promise.all([
        documents.updateOne({ _id: sha256 }, touch),
        sets.updateOne({ _id: known.digest }, touch),
      ]);
      return known;
    },

    async keepDocument(record: Omit<DocumentRecord, 'blob'>, bytes: Uint8Array): Promise<void> {
      const blob = await blobs.put(bytes);
      if ((await insertDocument({ ...record, blob })) === 'known') await blobs.drop(blob);
    },

    async keepSet(record: Omit<ComponentSetRecord, 'blob'>, bytes: Uint8Array): Promise<void> {
      const blob = await blobs.put(bytes);
      if ((await insertSet({ ...record, blob })) === 'known') await blobs.drop(blob);
    },

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

type Insert = 'new' | 'known';

/** Many uploads at once share a round trip; each learns whether its own record was new. */
function batchedInsert<Kept extends { _id: string; blob: StoredBlob }>(
  insertMany: (records: never[], options: { ordered: false }) => Promise<unknown>,
): (record: Kept) => Promise<Insert> {
  return createBatcher<Kept, Insert>(async (records) => {
    const known = await knownAlready(insertMany(records as never[], { ordered: false }));
    return records.map((_, index) => (known.has(index) ? 'known' : 'new'));
  }, batchSize);
}
