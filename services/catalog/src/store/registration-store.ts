import { inTransaction, isDuplicateKey, type Database } from '@bomtrail/mongo';
import { type AnyBulkWriteOperation, type ClientSession } from 'mongodb';
import { latestOf } from '../domain/duplicate';
import type { ServiceDocument, ProjectDocument, SbomDocument } from './documents';

/** SBOMs to append to a service, by sequence number. */
export interface Growth {
  service: Pick<ServiceDocument, '_id' | 'project_id' | 'name'>;
  /** Highest sequence number as read; null: the service is new. */
  seq: number | null;
  /** At least one. */
  added: SbomDocument[];
}

/** Aborts a transaction whose conditions no longer hold. */
class Conflict extends Error {}
/** Aborts a transaction after too many write conflicts. */
class Blocked extends Error {}

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/** Writes registrations, many in one transaction. */
export function createRegistrationStore(database: Database) {
  const { db, client } = database;
  const projects = db.collection<ProjectDocument>('projects');
  const services = db.collection<ServiceDocument>('services');
  const sboms = db.collection<SbomDocument>('sboms');

  async function write(grown: readonly Growth[], session: ClientSession): Promise<void> {
    const begun = grown.filter(({ seq }) => seq === null);
    if (begun.length > 0) {
      const ids = [...new Set(begun.map(({ service }) => service.project_id))];
      const found = await projects.updateMany(
        { _id: { $in: ids } },
        { $inc: { services_begun: 1 } },
        { session },
      );
      if (found.matchedCount < ids.length) throw new Conflict();
    }
    const found = await services.bulkWrite(grown.map(serviceWrite), { session });
    if (found.matchedCount < grown.length - begun.length) throw new Conflict();
    const added = grown.flatMap((growth) => growth.added);
    await sboms.insertMany(added, { session });
  }

  return {
    /**
     * Saves all or nothing, if each service is unchanged since it was read (or still absent) and
     * the project of each new service exists. It writes that project's document in the same
     * transaction, so that a concurrent delete and this write see each other.
     *
     * @param conflicts maximum write conflicts before it gives up
     * @returns `lost`: a condition does not hold; `blocked`: it gave up
     */
    async save(grown: readonly Growth[], conflicts: number): Promise<'done' | 'lost' | 'blocked'> {
      if (grown.length === 0) return 'done';
      let begins = 0;
      try {
        await inTransaction(client, (session) => {
          if (begins++ > conflicts) throw new Blocked();
          return write(grown, session);
        });
        return 'done';
      } catch (error) {
        if (error instanceof Conflict || isDuplicateKey(error)) return 'lost';
        if (error instanceof Blocked) return 'blocked';
        throw error;
      }
    },
  };
}

function serviceWrite({ service, seq, added }: Growth): AnyBulkWriteOperation<ServiceDocument> {
  const [first] = added;
  const last = added.at(-1);
  if (!first || !last) throw new Error('A service grows by at least one SBOM.');
  const head = { seq: last.seq, latest: latestOf(last) };
  if (seq === null) {
    const { _id, project_id, name } = service;
    return {
      insertOne: {
        document: {
          _id,
          project_id,
          name,
          created_at: first.created_at,
          sbom_count: added.length,
          ...head,
        },
      },
    };
  }
  return {
    updateOne: {
      filter: { _id: service._id, seq },
      update: { $set: head, $inc: { sbom_count: added.length } },
    },
  };
}
