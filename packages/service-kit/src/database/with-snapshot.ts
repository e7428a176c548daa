import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';

/** MongoDB's code for a moment at which an index or a collection was just made: there is a younger one. */
export const snapshotUnavailable = 246;
/** MongoDB's code for a moment that is older than the history that is kept. */
export const snapshotTooOld = 239;

const attempts = 5;

/**
 * Several reads of one and the same moment, whatever the database, at which everything that was
 * acknowledged before is there, and of every transaction all or nothing. They are no transaction: no
 * write waits for them.
 *
 * @param work hands the session to each of its reads, the first of which must have ended before the
 *   others begin. It is run again from the start where the moment is gone
 * @param again codes after which that is worth it; short reads try again at a younger moment in any case
 * @throws what `work` throws
 */
export async function withSnapshot<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
  again: readonly number[] = [snapshotUnavailable, snapshotTooOld],
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.withSession({ snapshot: true }, work);
    } catch (error) {
      const isGone = error instanceof MongoServerError && again.includes(Number(error.code));
      if (!isGone || attempt === attempts) throw error;
    }
  }
}
