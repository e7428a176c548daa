import type { Db } from 'mongodb';
import type { Logger } from '../log/logger';

/** The collection that stands in a database while `npm run restore` fills it. */
export const restoreInProgress = 'restore_under_way';
const lookAgainMs = 1_000;

/** Resolves when the database is not in the middle of a restore: what is half there is never served, nor worked on. */
export async function untilRestored(db: Db, log: Logger): Promise<void> {
  for (let look = 0; ; look++) {
    if ((await db.collection(restoreInProgress).findOne()) === null) return;
    if (look === 0) {
      log.warn('A restore of the database was begun and is not finished: waiting for its end.');
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}
