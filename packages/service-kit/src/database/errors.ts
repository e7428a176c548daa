import { MongoBulkWriteError, MongoError, MongoErrorLabel, MongoServerError } from 'mongodb';

/** MongoDB's code for a violated unique index. */
const duplicateKeyCode = 11000;

/** Did the write lose against another one that holds the same unique key? */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKeyCode;
}

/** May what a failed transaction was to write be stored nevertheless? Nobody heard how its commit ended. */
export function mayBeCommitted(error: unknown): boolean {
  return (
    error instanceof MongoError &&
    error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)
  );
}

/**
 * Waits for an unordered insert of many documents where one that is there already is as good as a
 * new one.
 *
 * @returns the places, in the order of the documents, of those whose key was there already
 * @throws the error when any document failed for another reason
 */
export async function isAlreadyStored(insert: Promise<unknown>): Promise<Set<number>> {
  try {
    await insert;
    return new Set();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    const duplicates = failures.filter((failure) => failure.code === duplicateKeyCode);
    if (failures.length === 0 || duplicates.length < failures.length) throw error;
    // It hides behind the duplicates that the new ones may not be on a majority.
    if (error.result.getWriteConcernError()) throw error;
    return new Set(duplicates.map((failure) => failure.index));
  }
}
