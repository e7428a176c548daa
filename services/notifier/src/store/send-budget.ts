import type { Database, IndexPlan } from '@bomtrail/mongo';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';

const collectionName = 'send_counts';

export const sendBudgetIndexes: IndexPlan = {
  [collectionName]: [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, name: 'expiry', expireAfterSeconds: 0 },
  ],
};

/** Limits the number of messages over all processes. */
export interface SendBudget {
  /**
   * Takes one message from each of several budgets, or from none.
   *
   * @param names of the budgets, without secrets and addresses
   * @returns 0 if allowed, else the seconds until all of them allow a message
   */
  take(names: readonly string[]): Promise<number>;
  /** Returns what was taken for a message that was not sent. */
  giveBack(names: readonly string[]): Promise<void>;
}

/**
 * Budgets per time window, which begins with the first message. Concurrent calls may be rejected
 * slightly too early, but the budget is never exceeded.
 *
 * @param limit `windowSeconds`: default one hour
 */
export function createSendBudget(
  { db, client }: Pick<Database, 'db' | 'client'>,
  limit: { messages: number; windowSeconds?: number },
): SendBudget {
  const duration = limit.windowSeconds ?? 3_600;
  const limiter = new RateLimiterMongo({
    storeClient: client,
    dbName: db.databaseName,
    tableName: collectionName,
    keyPrefix: '',
    points: limit.messages,
    duration,
    disableIndexesCreation: true,
  });

  /** @returns 0 if taken, else the milliseconds to wait */
  async function takeOne(name: string): Promise<number> {
    try {
      await limiter.consume(name);
      return 0;
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const waitMs = rejection.msBeforeNext;
      if (waitMs <= 2 * duration * 1_000) return Math.max(1, waitMs);
      // A window that a wrong clock began ends long after every other one.
      await limiter.delete(name);
      return takeOne(name);
    }
  }

  async function giveBack(names: readonly string[]): Promise<void> {
    await Promise.all([...new Set(names)].map((name) => limiter.reward(name)));
  }

  return {
    async take(names) {
      const unique = [...new Set(names)];
      const waits = await Promise.all(unique.map(takeOne));
      const longestMs = Math.max(0, ...waits);
      if (longestMs === 0) return 0;
      await giveBack(unique.filter((_, index) => waits[index] === 0));
      return Math.ceil(longestMs / 1_000);
    },
    giveBack,
  };
}
