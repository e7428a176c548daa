import { createBatcher } from '@bomtrail/concurrency';
import { unmarked, type Markable } from '@bomtrail/deletion';
import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection } from 'mongodb';
import type { BlobStore, StoredBlob } from './blob-store';

/** Documents of one bulk write: some kilobytes each, rarely megabytes. */
const batchSize = 64;

export type WriteOutcome = 'new' | 'known';

/** Content-addressed data with its blob. */
export type StoredContent = Markable & { blob: StoredBlob };

/** Stores content once; returns whether it was new. */
export type WriteContent<Record extends StoredContent> = (
  record: Omit<Record, 'blob'>,
  bytes: Uint8Array,
) => Promise<WriteOutcome>;

/**
 * Creates a writer for content that may already be stored. Existing content is unmarked in the same
 * write, the new blob is dropped, and the fields of `renewed` are updated. Concurrent writes share
 * a bulk write but fail individually.
 */
export function createContentWriter<Record extends StoredContent>(
  collection: Collection<Record>,
  blobs: BlobStore,
  renewed: (record: Omit<Record, 'blob'>) => object = () => ({}),
): WriteContent<Record> {
  const write = createBatcher(
    (records: Written[]) => writeAll(collection as unknown as Collection<StoredContent>, records),
    batchSize,
  );
  return async (record, bytes) => {
    const blob = await blobs.put(bytes);
    const outcome = await write({ record: { ...record, blob }, renewed: renewed(record) });
    if (outcome instanceof Error) throw outcome;
    if (outcome === 'known') await blobs.drop(blob);
    return outcome;
  };
}

/** A write, and the fields to update if the content exists. */
interface Written {
  record: StoredContent;
  renewed: object;
}

/** Returns the outcomes in the order of the records; rejects when none is known. */
async function writeAll(
  collection: Collection<StoredContent>,
  records: readonly Written[],
): Promise<(WriteOutcome | Error)[]> {
  try {
    const { upsertedIds } = await collection.bulkWrite(records.map(insertOrUnmark), {
      ordered: false,
    });
    return records.map((_, index) => (index in upsertedIds ? 'new' : 'known'));
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failures = [error.writeErrors].flat();
    // Not an error of single writes: the others may be lost, too.
    if (failures.length === 0 || error.result.getWriteConcernError()) throw error;
    const failed = new Map(failures.map((failure) => [failure.index, error]));
    const { upsertedIds } = error;
    return records.map((_, index) => failed.get(index) ?? (index in upsertedIds ? 'new' : 'known'));
  }
}

function insertOrUnmark({ record, renewed }: Written): AnyBulkWriteOperation<StoredContent> {
  const { _id, ...rest } = record;
  const inserted = Object.fromEntries(
    Object.entries(rest).filter(([field]) => !Object.hasOwn(renewed, field)),
  );
  const isRenewed = Object.keys(renewed).length > 0;
  const update = { $setOnInsert: inserted, ...(isRenewed && { $set: renewed }), ...unmarked };
  return { updateOne: { filter: { _id }, update, upsert: true } };
}
