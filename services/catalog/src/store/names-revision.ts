import { createBatcher } from '@bomtrail/concurrency';
import type { Db, ClientSession } from 'mongodb';
import { v4 as newRevision } from 'uuid';

interface RevisionDocument {
  _id: 'names';
  revision: string;
}

/** Callers per query. */
const callersAtOnce = 200;

export type NamesRevision = ReturnType<typeof createNamesRevision>;

/** A revision of the names of all services and projects, so that readers know when theirs are outdated. */
export function createNamesRevision(db: Db) {
  const revisions = db.collection<RevisionDocument>('names_revision');

  return {
    /** Empty until a name has changed. Concurrent calls share one query. */
    read: createBatcher<void, string>(async (callers) => {
      const found = await revisions.findOne({ _id: 'names' });
      return callers.map(() => found?.revision ?? '');
    }, callersAtOnce),

    /** To call in the transaction that changes or deletes a service or project. */
    async change(session: ClientSession): Promise<void> {
      const changed = { $set: { revision: newRevision() } };
      await revisions.updateOne({ _id: 'names' }, changed, { session, upsert: true });
    },
  };
}
