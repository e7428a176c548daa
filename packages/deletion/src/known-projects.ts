import type { ClientSession, Collection, MongoClient } from 'mongodb';
import { inTransaction } from '@bomtrail/mongo';

/** A project with data in this service, or a deleted one. */
export interface KnownProjectDocument {
  _id: string;
  /** Incremented by each write to the project, so that it conflicts with a concurrent delete. */
  writes?: number;
  /** Set once the project was deleted; nothing can be added any more. */
  deleted_at?: Date;
}

/** Prevents writes to deleted projects in a service that does not own the projects. */
export interface KnownProjects {
  /**
   * Runs a write that adds data to a project; 'gone' if the project was deleted. It and `markDeleted` write the
   * document of the project, so that a concurrent write and delete conflict.
   */
  writeTo<Outcome>(
    projectId: string,
    write: (session: ClientSession) => Promise<Outcome>,
  ): Promise<Outcome | 'gone'>;
  /** Records the delete of a project. Idempotent. */
  markDeleted(projectId: string, now: Date): Promise<void>;
}

/** @param projects the service's collection of known projects */
export function createKnownProjects(
  client: MongoClient,
  projects: Collection<KnownProjectDocument>,
): KnownProjects {
  return {
    writeTo: (projectId, write) =>
      inTransaction(client, async (session) => {
        const project = await projects.findOneAndUpdate(
          { _id: projectId },
          { $inc: { writes: 1 } },
          { upsert: true, returnDocument: 'after', session },
        );
        return project?.deleted_at ? 'gone' : write(session);
      }),

    async markDeleted(projectId, now) {
      const mark = { $min: { deleted_at: now } };
      await projects.updateOne({ _id: projectId }, mark, { upsert: true });
    },
  };
}
