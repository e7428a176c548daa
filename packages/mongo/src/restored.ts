import type { Db } from 'mongodb';
import type { Logger } from '@bomtrail/telemetry';

/** Collection that exists in a database while `npm run restore` fills it. */
export const restoreInProgress = 'restore_under_way';
const pollMs = 1_000;

/** Waits until no restore of the database is in progress. */
export async function untilRestored(db: Db, log: Logger): Promise<void> {
  for (let poll = 0; ; poll++) {
    if ((await db.collection(restoreInProgress).findOne()) === null) return;
    if (poll === 0) {
      log.warn('A restore of the database is in progress; waiting.');
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
