import {
  createBatcher,
  inTransaction,
  isDuplicateKey,
  type Database,
  type IndexPlan,
} from '@bomtrail/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import type { AcceptanceDocument, LedgerDocument } from './documents';
import { createProjectStore } from './project-store';

export const acceptanceIndexes: IndexPlan = {
  acceptances: [
    // One acceptance per alias group and scope: a unique multikey index refuses a second one that shares an id.
    { key: { project_id: 1, service_id: 1, identity: 1 }, unique: true },
    { key: { created_at: -1, _id: 1 } },
    { key: { pending: 1 }, sparse: true },
    { key: { lapsed: 1, expires_at: 1 }, partialFilterExpression: { lapsed: false } },
  ],
};

const epochsAtOnce = 64;

export type AcceptanceStore = ReturnType<typeof createAcceptanceStore>;

/** Risk acceptances, and a counter per project that tells whether they changed. */
export function createAcceptanceStore(database: Database) {
  const { db, client } = database;
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const epochs = db.collection<{ _id: string; epoch: number }>('acceptance_epochs');
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const projects = createProjectStore(database);
  const shown = { pending: { $ne: 'revert' as const } };

  function endForce(
    acceptance: AcceptanceDocument,
    where: Filter<AcceptanceDocument>,
    change: Partial<AcceptanceDocument>,
  ): Promise<boolean> {
    return inTransaction(client, async (session) => {
      const ended = await acceptances.updateOne(
        { _id: acceptance._id, ...where },
        { $set: change },
        { session },
      );
      if (ended.modifiedCount === 0) return false;
      const next = { $inc: { epoch: 1 } };
      await epochs.updateOne({ _id: acceptance.project_id }, next, { session, upsert: true });
      return true;
    });
  }

  return {
    /** Grows with every change to the project's acceptances; 0 when there never was one. */
    async epoch(projectId: string): Promise<number> {
      return (await epochs.findOne({ _id: projectId }))?.epoch ?? 0;
    },

    /** The same for several projects; one that never had an acceptance is not in the answer. */
    async epochsOf(projectIds: readonly string[]): Promise<Map<string, number>> {
      const found = await epochs.find({ _id: { $in: [...new Set(projectIds)] } }).toArray();
      return new Map(found.map(({ _id, epoch }) => [_id, epoch]));
    },

    /** Those that are in force; one that has expired a moment ago may be among them: the rules look at the time. */
    inForce: (projectId: string) =>
      acceptances.find({ project_id: projectId, lapsed: false, ...shown }).toArray(),

    byId: (id: string) => acceptances.findOne({ _id: id }),

    /** `no_project`, `no_service`: what it is for was deleted. */
    async insert(
      acceptance: AcceptanceDocument,
    ): Promise<'done' | 'exists' | 'no_project' | 'no_service'> {
      const { project_id, service_id } = acceptance;
      const add = async (session: ClientSession): Promise<'done' | 'no_service'> => {
        const deleted = { _id: service_id ?? '', forgotten: { $exists: true } };
        if (service_id !== null && (await ledgers.findOne(deleted, { session }))) {
          return 'no_service';
        }
        await acceptances.insertOne(acceptance, { session });
        const next = { $inc: { epoch: 1 } };
        await epochs.updateOne({ _id: project_id }, next, { session, upsert: true });
        return 'done';
      };
      try {
        const outcome = await projects.addTo(project_id, add);
        return outcome === 'forgotten' ? 'no_project' : outcome;
      } catch (error) {
        if (isDuplicateKey(error)) return 'exists';
        throw error;
      }
    },

    /** Takes an acceptance out of force; it is hidden from now on. False when another call did. */
    revoke: (acceptance: AcceptanceDocument): Promise<boolean> =>
      endForce(acceptance, shown, { pending: 'revert' }),

    /** Takes an expired acceptance out of force; it stays listed. False when another call did. */
    lapse: (acceptance: AcceptanceDocument): Promise<boolean> =>
      endForce(acceptance, { lapsed: false, ...shown }, { lapsed: true, pending: 'apply' }),

    /** The rows show it: a revoked one goes, the others need nothing more. */
    async settle(acceptance: AcceptanceDocument): Promise<void> {
      if (acceptance.pending === 'revert') await acceptances.deleteOne({ _id: acceptance._id });
      else
        await acceptances.updateOne(
          { _id: acceptance._id, pending: 'apply' },
          { $set: { pending: null } },
        );
    },

    /** Newest first, ties by id. */
    async list(projectId: string | undefined, page: { skip: number; limit: number }) {
      const where = { ...shown, ...(projectId === undefined ? {} : { project_id: projectId }) };
      const [items, total] = await Promise.all([
        acceptances
          .find(where)
          .sort({ created_at: -1, _id: 1 })
          .skip(page.skip)
          .limit(page.limit)
          .toArray(),
        acceptances.countDocuments(where),
      ]);
      return { items, total };
    },

    unsettled: (before: Date, limit: number) =>
      acceptances
        .find({ pending: { $in: ['apply', 'revert'] }, updated_at: { $lte: before } })
        .limit(limit)
        .toArray(),

    /** Expired ones that are still in force, the longest expired first. */
    expired: (now: Date, limit: number) =>
      acceptances
        .find({ lapsed: false, expires_at: { $lte: now }, ...shown })
        .sort({ expires_at: 1 })
        .limit(limit)
        .toArray(),
  };
}

/** Reads the epochs that are asked for at the same moment in one round trip; none is from before it was asked for. */
export function createEpochReader(
  acceptances: Pick<AcceptanceStore, 'epochsOf'>,
): AcceptanceStore['epoch'] {
  return createBatcher<string, number>(async (projectIds) => {
    const epochs = await acceptances.epochsOf(projectIds);
    return projectIds.map((id) => epochs.get(id) ?? 0);
  }, epochsAtOnce);
}
