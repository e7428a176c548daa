import { inTransaction, type Database } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import { type KnownProjectDocument, allProjects } from './documents';

/** The projects known to this service, including deleted ones. */
export function createProjectStore(database: Database) {
  const { db, client } = database;
  const projects = db.collection<KnownProjectDocument>('known_projects');

  return {
    /**
     * Adds something to a project unless it is deleted: `work` and a delete both write the project's
     * document, so that one of them conflicts. Nothing deletes `allProjects`.
     */
    async addTo<Result>(
      projectId: string,
      work: (session: ClientSession) => Promise<Result>,
    ): Promise<Result | 'deleted'> {
      if (projectId === allProjects) return inTransaction(client, work);
      // Outside of the transaction, in which concurrent inserts of the same document would fail.
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
