import type { SbomFormat } from '@bomtrail/messages';
import { SBOM_READING_VERSION, type Dependency, type QualityFacts } from '@bomtrail/sbom-formats';
import { createBatcher } from '@bomtrail/concurrency';
import { markIndex, unmarked, type Markable } from '@bomtrail/deletion';
import type { IndexPlan } from '@bomtrail/mongo';
import type { Collection, Db } from 'mongodb';
import type { BlobStore, StoredBlob } from './blob-store';
import type { PackedLicences } from '../worker/pack-licences';
import type { FreshSets, PackedSet } from './fresh-sets';
import { createContentWriter, type WriteOutcome } from './content-writer';

/** An uploaded document, keyed by the SHA-256 of its bytes. */
export interface DocumentRecord extends Markable {
  size: number;
  format: SbomFormat;
  spec_version: string;
  root_name: string | null;
  /** Digest of its component set. */
  digest: string;
  /** `SBOM_READING_VERSION` that it was read with. */
  reading: number;
  dependency_count: number;
  /** What it states; absent if an earlier release stored it. */
  quality?: QualityFacts;
  created_at: Date;
  /** The bytes, gzip'd. */
  blob: StoredBlob;
}

/** The dependencies of one or more documents, keyed by digest. */
export interface ComponentSetRecord extends Markable {
  count: number;
  /**
   * Root components, scanned with the dependencies and part of the digest; absent when there are
   * none.
   */
  roots?: Dependency[];
  /** Its components by licence id and group; absent in sets of an earlier release. */
  licences?: PackedLicences;
  /** `LICENCE_INDEX_VERSION` of `licences`. */
  licence_index?: number;
  created_at: Date;
  /** JSON array of dependencies, gzip'd. */
  blob: StoredBlob;
}

const inFile = { partialFilterExpression: { 'blob.file_id': { $exists: true } } };

export const documentIndexes: IndexPlan = {
  documents: [markIndex, { key: { digest: 1 } }, { key: { 'blob.file_id': 1 }, ...inFile }],
  component_sets: [
    markIndex,
    { key: { 'blob.file_id': 1 }, ...inFile },
    { key: { 'licences.keys': 1, _id: 1 }, name: 'licence_keys' },
    { key: { licence_index: 1 }, name: 'licence_index' },
  ],
};

const batchSize = 64;

/** A document without its bytes. */
export type KnownDocument = Omit<DocumentRecord, 'blob'>;

export type DocumentStore = ReturnType<typeof createDocumentStore>;

/**
 * Content-addressed documents and component sets.
 *
 * @param fresh cache of recently stored sets
 */
export function createDocumentStore(db: Db, blobs: BlobStore, fresh: FreshSets) {
  const documents = db.collection<DocumentRecord>('documents');
  const sets = db.collection<ComponentSetRecord>('component_sets');
  const storeDocument = createContentWriter(
    documents,
    blobs,
    ({ digest, dependency_count, reading, quality }) => ({
      digest,
      dependency_count,
      reading,
      ...(quality && { quality }),
    }),
  );
  const storeSet = createContentWriter(sets, blobs);
  const find = createBatcher((sha256s: string[]) => findWithSets(documents, sha256s), batchSize);

  return {
    /**
     * Finds a document. If it or its component set is marked, the mark is removed, since it is in
     * use again. Null also when the set is missing or the document was read by an older version:
     * both must be stored then. Concurrent calls share a query.
     */
    async findDocument(sha256: string): Promise<KnownDocument | null> {
      const known = await find(sha256);
      if (!known?.marked_at) return known;
      const set = await sets.updateOne({ _id: known.digest }, unmarked);
      if (set.matchedCount === 0) return null;
      return documents.findOneAndUpdate({ _id: sha256 }, unmarked, {
        projection: { blob: 0 },
        returnDocument: 'after',
      });
    },

    /** Unmarks a set; false when it is missing. */
    async useSet(digest: string): Promise<boolean> {
      const used = await sets.updateOne({ _id: digest }, unmarked);
      return used.matchedCount === 1;
    },

    /** Stores a document; an existing one is unmarked. */
    storeDocument: (record: KnownDocument, bytes: Uint8Array) => storeDocument(record, bytes),

    /** Stores a component set; an existing one is unmarked. */
    async storeSet(
      record: Omit<ComponentSetRecord, 'blob'>,
      bytes: Uint8Array,
    ): Promise<WriteOutcome> {
      const outcome = await storeSet(record, bytes);
      if (outcome === 'new') fresh.set(record._id, { ...rooted(record), bytes });
      return outcome;
    },

    /** The gzip'd bytes and unpacked size of a document; null when it is missing. */
    async readDocument(sha256: string): Promise<{ size: number; bytes: Uint8Array } | null> {
      const found = await documents.findOne({ _id: sha256 });
      return found && { size: found.size, bytes: await blobs.get(found.blob) };
    },

    /** Unpacked size of a document; null when it is missing. */
    async sizeOfDocument(sha256: string): Promise<number | null> {
      const found = await documents.findOne({ _id: sha256 }, { projection: { size: 1 } });
      return found && found.size;
    },

    /** What a document states, if known, and its unpacked size; null when it is missing. */
    findQuality(sha256: string): Promise<{ size: number; quality?: QualityFacts } | null> {
      return documents.findOne({ _id: sha256 }, { projection: { size: 1, quality: 1 } });
    },

    async storeQuality(sha256: string, quality: QualityFacts): Promise<void> {
      await documents.updateOne({ _id: sha256 }, { $set: { quality } });
    },

    /** Number of dependencies of a set; null when it is missing. */
    async sizeOfSet(digest: string): Promise<number | null> {
      const found = await sets.findOne({ _id: digest }, { projection: { count: 1 } });
      return found && found.count;
    },

    async readSet(digest: string): Promise<PackedSet | null> {
      const atHand = fresh.get(digest);
      if (atHand) return atHand;
      const found = await sets.findOne({ _id: digest }, { projection: { licences: 0 } });
      return found && { ...rooted(found), bytes: await blobs.get(found.blob) };
    },
  };
}

function rooted(record: Pick<ComponentSetRecord, 'count' | 'roots'>): Omit<PackedSet, 'bytes'> {
  const { count, roots = [] } = record;
  return { count, roots };
}

/** In the order of the hashes; null when the document or its set is missing. */
async function findWithSets(
  documents: Collection<DocumentRecord>,
  sha256s: readonly string[],
): Promise<(KnownDocument | null)[]> {
  const found = await documents
    .aggregate<KnownDocument & { set: unknown[] }>([
      { $match: { _id: { $in: [...new Set(sha256s)] }, reading: SBOM_READING_VERSION } },
      { $project: { blob: 0 } },
      {
        $lookup: {
          from: 'component_sets',
          localField: 'digest',
          foreignField: '_id',
          as: 'set',
          pipeline: [{ $project: { _id: 1 } }],
        },
      },
    ])
    .toArray();
  const known = new Map(
    found.flatMap(({ set, ...document }) => (set.length === 0 ? [] : [[document._id, document]])),
  );
  return sha256s.map((sha256) => known.get(sha256) ?? null);
}
