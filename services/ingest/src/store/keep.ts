import { createBatcher, unmarked, type Markable } from '@bomtrail/service-kit';
import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection } from 'mongodb';
import type { BlobStore, StoredBlob } from './blob-store';

/** Content in one write: each has some kilobytes, rarely megabytes. */
const batchSize = 64;

export type Kept = 'new' | 'known';

/** Content that is kept by what it is, with its bytes beside its fields or in a file. */
export type Keepable = Markable & { blob: StoredBlob };

/** Keeps content once, with its bytes; says whether it was there already. */
export type Keep<Record extends Keepable> = (
  record: Omit<Record, 'blob'>,
  bytes: Uint8Array,
) => Promise<Kept>;

/**
 * Keeps content that may be there already: then it is condemned no more, in the write that finds it, and
 * the new bytes go, and what `renewed` names of it is stored anew. What is to be kept at once is one write, in which each succeeds or fails by itself.
 */
export function createKeep<Record extends Keepable>(
  collection: Collection<Record>,
  blobs: BlobStore,
  renewed: (record: Omit<Record, 'blob'>) => object = () => ({}),
): Keep<Record> {
  const write = createBatcher(
    (records: Written[]) => writeAll(collection as unknown as Collection<Keepable>, records),
    batchSize,
  );
  return async (record, bytes) => {
    const blob = await blobs.put(bytes);
    const kept = await write({ record: { ...record, blob }, renewed: renewed(record) });
    if (kept instanceof Error) throw kept;
    if (kept === 'known') await blobs.drop(blob);
    return kept;
  };
}

/** Content to be kept, and what of it is stored anew where it is there. */
interface Written {
  record: Keepable;
  renewed: object;
}

/** What became of each, in the order of the records. Rejects where it is not known of any. */
async function writeAll(
  collection: Collection<Keepable>,
  records: readonly Written[],
): Promise<(Kept | Error)[]> {
  try {
    const { upsertedIds } = await collection.bulkWrite(records.map(insertOrUnmark), {
      ordered: false,
    });
    return records.map((_, index) => (index in upsertedIds ? 'new' : 'known'));
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const refusals = [error.writeErrors].flat();
    // Not some were refused: the rest may not be on a majority, or nothing is known.
    if (refusals.length === 0 || error.result.getWriteConcernError()) throw error;
    const refused = new Map(refusals.map((httpError) => [httpError.index, error]));
    const { upsertedIds } = error;
    return records.map(
      (_, index) => refused.get(index) ?? (index in upsertedIds ? 'new' : 'known'),
    );
  }
}

function insertOrUnmark({ record, renewed }: Written): AnyBulkWriteOperation<Keepable> {
  const { _id, ...rest } = record;
  const inserted = Object.fromEntries(
    Object.entries(rest).filter(([field]) => !Object.hasOwn(renewed, field)),
  );
  const isRenewed = Object.keys(renewed).length > 0;
  const update = { $setOnInsert: inserted, ...(isRenewed && { $set: renewed }), ...unmarked };
  return { updateOne: { filter: { _id }, update, upsert: true } };
}
