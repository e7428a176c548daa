import type { Database, IndexPlan } from '@bomtrail/service-kit';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';

const collectionName = 'send_counts';

export const sendBudgetIndexes: IndexPlan = {
  [collectionName]: [
    { key: { key: 1 }, name: 'key', unique: true },
    { key: { expire: 1 }, name: 'expiry', expireAfterSeconds: 0 },
  ],
};

/** Bounds how many messages are sent, over all processes. */
export interface SendBudget {
  /**
   * Takes a message from each of several budgets, or from none of them.
   *
   * @param names of the budgets; without secrets and addresses
   * @returns 0 when it may be sent, else the seconds until each of them has room again
   */
  take(names: readonly string[]): Promise<number>;
  /** Gives back what was taken for a message that did not go out. */
  giveBack(names: readonly string[]): Promise<void>;
}

/**
 * Budgets of so many messages in a time that begins with the first one. Where several take at once, one may be refused
 * that would have been let through a moment later; more than the budget is never sent.
 *
 * @param limit `windowSeconds`: an hour when omitted
 */
export function createSendBudget(
  { db, client }: Pick<Database, 'db' | 'client'>,
  limit: { messages: number; windowSeconds?: number },
): SendBudget {
  const limiter = new RateLimiterMongo({
    ...{ storeClient: client, dbName: db.databaseName, tableName: collectionName, keyPrefix: '' },
    ...{ points: limit.messages, duration: limit.windowSeconds ?? 3_600 },
    disableIndexesCreation: true,
  });

  /** @returns 0 when it was taken, else the milliseconds until there is room */
  async function takeOne(name: string): Promise<number> {
    try {
      await limiter.consume(name);
      return 0;
    } catch (httpError) {
      if (httpError instanceof RateLimiterRes) return Math.max(1, httpError.msBeforeNext);
      throw httpError;
    }
  }

  async function giveBack(names: readonly string[]): Promise<void> {
    await Promise.all([...new Set(names)].map((name) => limiter.reward(name)));
  }

  return {
    async take(names) {
      const different = [...new Set(names)];
      const waits = await Promise.all(different.map(takeOne));
      const longestMs = Math.max(0, ...waits);
      if (longestMs === 0) return 0;
      await giveBack(different.filter((_, at) => waits[at] === 0));
      return Math.ceil(longestMs / 1_000);
    },
    giveBack,
  };
}
