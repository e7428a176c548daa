import { inTransaction, type Database } from '@bomtrail/service-kit';
import type { ClientSession } from 'mongodb';
import type { KnownProjectDocument } from './documents';

export type ProjectStore = ReturnType<typeof createProjectStore>;

/** The projects that this service has heard of, deleted ones too. */
export function createProjectStore(database: Database) {
  const { db, client } = database;
  const projects = db.collection<KnownProjectDocument>('known_projects');

  return {
    /**
     * Adds something to a project, on condition that the project is not deleted: `work` and a delete
     * at the same time both write the project's document, so that one of them sees the other.
     */
    async addTo<Result>(
      projectId: string,
      work: (session: ClientSession) => Promise<Result>,
    ): Promise<Result | 'deleted'> {
      // Before the transaction, in which two that insert the same document would fail.
      await projects.updateOne(
        { _id: projectId },
        { $setOnInsert: { changes: 0 } },
        { upsert: true },
      );
      return inTransaction(client, async (session) => {
        const known = await projects.updateOne(
          { _id: projectId, deletion_state: { $exists: false } },
          { $inc: { changes: 1 } },
          { session },
        );
        return known.matchedCount === 0 ? 'deleted' : work(session);
      });
    },
  };
}
