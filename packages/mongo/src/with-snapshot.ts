import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';

/** MongoDB code: an index or collection was created after the snapshot; a newer snapshot works. */
export const snapshotUnavailable = 246;
/** MongoDB code: the snapshot is older than the stored history. */
export const snapshotTooOld = 239;

const attempts = 5;

/**
 * Runs several reads on one snapshot, across databases. It includes every write acknowledged before, and does not
 * block writes.
 *
 * @param work passes the session to each read; the first read must finish before the others start. It is run again
 *   on a newer snapshot if the snapshot is gone
 * @param retryCodes MongoDB codes after which it is run again, at most 5 times in all
 * @throws what `work` throws
 */
export async function withSnapshot<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
  retryCodes: readonly number[] = [snapshotUnavailable, snapshotTooOld],
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.withSession({ snapshot: true }, work);
    } catch (error) {
      const isGone = error instanceof MongoServerError && retryCodes.includes(Number(error.code));
      if (!isGone || attempt === attempts) throw error;
    }
  }
}
