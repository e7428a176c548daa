import { MongoServerError } from 'mongodb';

/** MongoDB's code for a violated unique index. */
const duplicateKeyCode = 11000;

/** Did the write lose against another one that holds the same unique key? */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKeyCode;
}
