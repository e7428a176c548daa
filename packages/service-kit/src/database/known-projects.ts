import type { ClientSession, Collection, MongoClient } from 'mongodb';
import { inTransaction } from './transaction';

/** A project that a service keeps something of, or that was deleted. */
export interface KnownProjectDocument {
  _id: string;
  /** Grows with each thing that is put into it, so that this and a delete cannot pass each other unseen. */
  placements?: number;
  /** The project was deleted: nothing is put into it any more. */
  forgotten_at?: Date;
}

/** Keeps things of deleted projects from coming again in a service that does not own the projects. */
export interface KnownProjects {
  /**
   * Runs a write that puts something into a project, unless the project was deleted. Both this and
   * `forget` write the project's document: MongoDB lets one of two such transactions wait for the
   * other, so that nothing slips in behind a delete.
   */
  placing<Outcome>(
    projectId: string,
    write: (session: ClientSession) => Promise<Outcome>,
  ): Promise<Outcome | 'gone'>;
  /** The project was deleted. Repeating it changes nothing. */
  forget(projectId: string, now: Date): Promise<void>;
}

/** @param projects the service's own collection of them */
export function createKnownProjects(
  client: MongoClient,
  projects: Collection<KnownProjectDocument>,
): KnownProjects {
  return {
    placing: (projectId, write) =>
      inTransaction(client, async (session) => {
        const project = await projects.findOneAndUpdate(
          { _id: projectId },
          { $inc: { placements: 1 } },
          { upsert: true, returnDocument: 'after', session },
        );
        return project?.forgotten_at ? 'gone' : write(session);
      }),

    async forget(projectId, now) {
      const mark = { $min: { forgotten_at: now } };
      await projects.updateOne({ _id: projectId }, mark, { upsert: true });
    },
  };
}
