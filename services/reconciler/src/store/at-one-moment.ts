import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';

/**
 * MongoDB's codes for a moment that cannot be read: an index or a collection was made since, or it is
 * older than the history that is kept. There is a younger one.
 */
const goneMomentCodes: ReadonlySet<unknown> = new Set([246, 239]);
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
      const isGone = error instanceof MongoServerError && goneMomentCodes.has(error.code);
      if (!isGone || attempt === attempts) throw error;
    }
  }
}
