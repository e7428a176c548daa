import { withTimeout } from '@bomtrail/concurrency';
import type { Database, IndexPlan } from '@bomtrail/mongo';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';

/**
 * Counts a call of a key.
 *
 * @returns 0 if allowed, else the seconds to wait
 */
export type CountCall = (keyId: string) => Promise<number>;

const collectionName = 'rate_limits';
/** Maximum wait for a count. */
const countTimeoutMs = 1_000;

export const rateLimitIndexes: IndexPlan = {
  [collectionName]: [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, name: 'expiry', expireAfterSeconds: 0 },
  ],
};

/**
 * Rate limit per key over all gateways, in one-minute windows that begin with the first call.
 * Counts are written without journaling: a crash of the database may lose a few. While the database
 * is unreachable each process counts alone, no longer than keys are cached.
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
    storeClient: counts,
    tableName: collectionName,
    keyPrefix: '',
    points,
    duration,
    disableIndexesCreation: true,
    // A key over its limit causes no writes until the window ends.
    inMemoryBlockOnConsumed: points + 1,
  });
  const own = new RateLimiterMemory({ points, duration });

  async function count(keyId: string): Promise<void> {
    try {
      await withTimeout(limiter.consume(keyId), countTimeoutMs);
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes) throw rejection;
      await own.consume(keyId);
    }
  }

  return async (keyId) => {
    try {
      await count(keyId);
      return 0;
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      return Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000));
    }
  };
}
