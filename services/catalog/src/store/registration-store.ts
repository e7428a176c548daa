import { inTransaction, isDuplicateKey, type Database } from '@bomtrail/service-kit';
import { type AnyBulkWriteOperation, type ClientSession } from 'mongodb';
import { latestOf } from '../domain/duplicate';
import { movedCount } from './counted';
import type { ServiceDocument, ProjectDocument, SbomDocument } from './documents';

/** SBOMs that a line gets, in the order of their sequence numbers. */
export interface Growth {
  service: Pick<ServiceDocument, '_id' | 'project_id' | 'name'>;
  /** The newest sequence number of the line as it was read; null: it begins. */
  seq: number | null;
  /** At least one. */
  added: SbomDocument[];
}

/** Ends a transaction that others came before. */
class Overtaken extends Error {}
/** Ends a transaction that has given way to others often enough. */
class Blocked extends Error {}

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/** What registering writes, for many uploads in one transaction. */
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
      if (found.matchedCount < ids.length) throw new Overtaken();
    }
    const found = await services.bulkWrite(grown.map(serviceWrite), { session });
    if (found.matchedCount < grown.length - begun.length) throw new Overtaken();
    const added = grown.flatMap((growth) => growth.added);
    await sboms.insertMany(added, { session });
  }

  return {
    /**
     * Saves all of these or nothing, on condition that each line still stands where it was read, or is
     * not there yet, and that the project of one that begins is there; a deleted one is not. That
     * project's document is moved in the same transaction, so that of a delete at the same time one
     * sees the other.
     *
     * @param conflicts how often it gives way to transactions that are under way before it gives up
     * @returns `lost`: a condition does not hold, because others were first; `blocked`: it gave up
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
        if (error instanceof Overtaken || isDuplicateKey(error)) return 'lost';
        if (error instanceof Blocked) return 'blocked';
        throw error;
      }
    },
  };
}

function serviceWrite({ service, seq, added }: Growth): AnyBulkWriteOperation<ServiceDocument> {
  const [first] = added;
  const last = added.at(-1);
  if (!first || !last) throw new Error('A line grows by one SBOM at least.');
  const head = { seq: last.seq, latest: latestOf(last) };
  if (seq === null) {
    const counted = { sboms: added.length, seq: last.seq };
    const { _id, project_id, name } = service;
    return {
      insertOne: {
        document: { _id, project_id, name, created_at: first.created_at, ...head, counted },
      },
    };
  }
  const moved = { ...movedCount(added.length, last.seq), seq: head.seq };
  return {
    updateOne: {
      filter: { _id: service._id, seq },
      update: [{ $set: { ...moved, latest: { $literal: head.latest } } }],
    },
  };
}
