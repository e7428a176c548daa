import { MongoBulkWriteError, MongoError, MongoErrorLabel, MongoServerError } from 'mongodb';

/** MongoDB's code for a violated unique index. */
const duplicateKeyCode = 11000;

/** MongoDB's code for a command that needs a user, or that its user may not run. */
const unauthorizedCode = 13;

/** True if a document with the same unique key exists. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKeyCode;
}

/**
 * For an operator: that MongoDB refuses the user, without the command, which MongoDB repeats as a whole. Undefined for
 * any other error.
 */
export function refusedUser(error: unknown): string | undefined {
  if (!(error instanceof MongoServerError) || error.code !== unauthorizedCode) return undefined;
  const [reason] = error.message.split(' to execute command');
  return `MongoDB refuses the user (${reason}): check MONGODB_USERNAME and MONGODB_PASSWORD.`;
}

/** True if the outcome of the commit is unknown: the writes of the failed transaction may be stored. */
export function mayBeCommitted(error: unknown): boolean {
  return (
    error instanceof MongoError &&
    error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)
  );
}

/**
 * Waits for an unordered insert of many documents, ignoring duplicates.
 *
 * @returns the indexes of the documents whose key existed already
 * @throws the error if any document failed for another reason
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
    // Duplicates hide a failed write concern: new documents may not be on a majority.
    if (error.result.getWriteConcernError()) throw error;
    return new Set(duplicates.map((failure) => failure.index));
  }
}
