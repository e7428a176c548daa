import { withTimeout, type Database, type IndexPlan } from '@bomtrail/service-kit';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';

/**
 * Counts a call of a key.
 *
 * @returns 0 when it may be made, else the seconds until there is room again
 */
export type CountCall = (keyId: string) => Promise<number>;

const collectionName = 'rate_limits';
/** A call must not wait longer for its count. */
const countTimeoutMs = 1_000;

export const rateLimitIndexes: IndexPlan = {
  [collectionName]: [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, name: 'expiry', expireAfterSeconds: 0 },
  ],
};

/**
 * Lets each key make so many calls in a minute that begins with its first one, exactly, over all
 * gateways. A count is one write that waits for no disk: a crash of the database may forget a few.
 * While the counts cannot be reached each process counts for itself; that lasts no longer than keys
 * are believed without the database.
 *
 * @param limit.calls 0: no limit, nothing is counted
 */
export function createRateLimiter(
  database: Database,
  limit: { calls: number; windowSeconds?: number },
): CountCall {
  const { calls: points, windowSeconds: duration = 60 } = limit;
  if (points === 0) return async () => 0;
  const counts = database.client.db(database.db.databaseName, {
    writeConcern: { w: 1, journal: false },
  });
  const limiter = new RateLimiterMongo({
    ...{ storeClient: counts, tableName: collectionName, keyPrefix: '', points, duration },
    disableIndexesCreation: true,
    // A key that has used up its calls costs no write until there is room.
    inMemoryBlockOnConsumed: points + 1,
  });
  const own = new RateLimiterMemory({ points, duration });

  async function count(keyId: string): Promise<void> {
    try {
      await withTimeout(limiter.consume(keyId), countTimeoutMs);
    } catch (httpError) {
      if (httpError instanceof RateLimiterRes) throw httpError;
      await own.consume(keyId);
    }
  }

  return async (keyId) => {
    try {
      await count(keyId);
      return 0;
    } catch (httpError) {
      if (!(httpError instanceof RateLimiterRes)) throw httpError;
      return Math.max(1, Math.ceil(httpError.msBeforeNext / 1_000));
    }
  };
}
