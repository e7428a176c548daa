import { createBatcher, unmarked, type Markable } from '@bomtrail/service-kit';
import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection } from 'mongodb';
import type { BlobStore, StoredBlob } from './blob-store';

/** Content in one write: each has some kilobytes, rarely megabytes. */
const batchSize = 64;

export type WriteOutcome = 'new' | 'known';

/** Content that is kept by what it is, with its bytes beside its fields or in a file. */
export type StoredContent = Markable & { blob: StoredBlob };

/** Keeps content once, with its bytes; says whether it was there already. */
export type WriteContent<Record extends StoredContent> = (
  record: Omit<Record, 'blob'>,
  bytes: Uint8Array,
) => Promise<WriteOutcome>;

/**
 * Keeps content that may be there already: then it is condemned no more, in the write that finds it, and
 * the new bytes go, and what `renewed` names of it is stored anew. What is to be kept at once is one write, in which each succeeds or fails by itself.
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

/** Content to be kept, and what of it is stored anew where it is there. */
interface Written {
  record: StoredContent;
  renewed: object;
}

/** What became of each, in the order of the records. Rejects where it is not known of any. */
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
    // Not some were refused: the rest may not be on a majority, or nothing is known.
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
