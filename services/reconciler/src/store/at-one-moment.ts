import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';

/** An index or a collection was made since the moment: there is a younger one. */
const snapshotUnavailableCode = 246;
const attempts = 5;

/**
 * Several reads of one and the same moment, at which everything that was acknowledged before is
 * there. They are no transaction: no write waits for them.
 *
 * @param work hands the session to each of its reads, the first of which must have ended before the
 *   others begin
 * @throws what `work` throws
 */
export async function atOneMoment<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await client.withSession({ snapshot: true }, work);
    } catch (error) {
      const isTooOld = error instanceof MongoServerError && error.code === snapshotUnavailableCode;
      if (!isTooOld || attempt === attempts) throw error;
    }
  }
}
