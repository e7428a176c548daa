import type { ListCursor } from '@bomtrail/messages';
import { createBatcher } from '@bomtrail/concurrency';
import { inTransaction, isDuplicateKey, type Database, type IndexPlan } from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import type { AcceptanceDocument, ServiceStateDocument } from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import { createPendingAcceptances } from './pending-acceptances';

export const acceptanceIndexes: IndexPlan = {
  acceptances: [
    // One active acceptance per alias group and scope: a unique multikey index rejects a second one that
    // shares an id. Lapsed acceptances are exempt.
    {
      key: { project_id: 1, identity: 1, service_id: 1 },
      name: 'one_active',
      unique: true,
      partialFilterExpression: { lapsed: false },
    },
    { key: { project_id: 1, identity: 1 } },
    { key: { project_id: 1, created_at: -1, _id: 1 } },
    { key: { created_at: -1, _id: 1 } },
    { key: { pending: 1 }, sparse: true },
    { key: { lapsed: 1, expires_at: 1 }, partialFilterExpression: { lapsed: false } },
  ],
};

/** Concurrent reads combined into one. */
const readsAtOnce = 64;

/** The active acceptances, and the database time at which they were read. */
export interface ActiveAcceptances {
  acceptances: AcceptanceDocument[];
  now: Date;
}

export type AcceptanceStore = ReturnType<typeof createAcceptanceStore>;

/** Risk acceptances, with an epoch per project that changes with them. */
export function createAcceptanceStore(database: Database) {
  const { db, client } = database;
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const epochs = db.collection<{ _id: string; epoch: number }>('acceptance_epochs');
  const states = db.collection<ServiceStateDocument>('service_states');
  const projects = createProjectStore(database);
  const snapshot = { pending: { $ne: 'revert' as const } };

  /**
   * Deactivates matching acceptances of a project and moves its epoch. Returns the number of changed
   * documents.
   */
  function deactivate(
    projectId: string,
    where: Filter<AcceptanceDocument>,
    change: Partial<AcceptanceDocument>,
  ): Promise<number> {
    return inTransaction(client, async (session) => {
      const ended = await acceptances.updateMany(
        { project_id: projectId, ...where, ...snapshot },
        { $set: change },
        { session },
      );
      if (ended.modifiedCount === 0) return 0;
      const next = { $inc: { epoch: 1 } };
      await epochs.updateOne({ _id: projectId }, next, { session, upsert: true });
      return ended.modifiedCount;
    });
  }

  return {
    /** Increases with every change to the project's acceptances; 0 if there never was one. */
    async epoch(projectId: string): Promise<number> {
      return (await epochs.findOne({ _id: projectId }))?.epoch ?? 0;
    },

    /** The epochs of several projects; projects without acceptances are missing in the result. */
    async epochsOf(projectIds: readonly string[]): Promise<Map<string, number>> {
      const found = await epochs.find({ _id: { $in: [...new Set(projectIds)] } }).toArray();
      return new Map(found.map(({ _id, epoch }) => [_id, epoch]));
    },

    /**
     * The active acceptances with the time of the database server, which decides on expiry. May include
     * expired ones that have not lapsed yet.
     */
    async active(projectId: string): Promise<ActiveAcceptances> {
      const found = await acceptances
        .aggregate<AcceptanceDocument & { now: Date }>([
          { $match: { project_id: projectId, lapsed: false, ...snapshot } },
          { $set: { now: '$$NOW' } },
        ])
        .toArray();
      return { acceptances: found, now: found[0]?.now ?? new Date() };
    },

    byId: (id: string) => acceptances.findOne({ _id: id }),

    /** `no_project`, `no_service`: the scope was deleted. */
    async insert(
      acceptance: AcceptanceDocument,
    ): Promise<'done' | 'exists' | 'no_project' | 'no_service'> {
      const { project_id, service_id } = acceptance;
      const add = async (session: ClientSession): Promise<'done' | 'no_service'> => {
        const deleted = { _id: service_id ?? '', deletion_state: { $exists: true } };
        if (service_id !== null && (await states.findOne(deleted, { session }))) {
          return 'no_service';
        }
        await acceptances.insertOne(acceptance, { session });
        const next = { $inc: { epoch: 1 } };
        await epochs.updateOne({ _id: project_id }, next, { session, upsert: true });
        return 'done';
      };
      try {
        const outcome = await projects.addTo(project_id, add);
        return outcome === 'deleted' ? 'no_project' : outcome;
      } catch (error) {
        if (isDuplicateKey(error)) return 'exists';
        throw error;
      }
    },

    /** Revokes an acceptance: it is hidden from now on. False if another call revoked it. */
    async revoke({ _id, project_id }: AcceptanceDocument): Promise<boolean> {
      return (await deactivate(project_id, { _id }, { pending: 'revert' })) === 1;
    },

    /** Marks expired acceptances as lapsed, permanently; they stay in the list. */
    async lapse(projectId: string, ids: readonly string[]): Promise<void> {
      const still = { _id: { $in: [...ids] }, lapsed: false };
      await deactivate(projectId, still, { lapsed: true, pending: 'apply' });
    },

    /** Newest first, ties by id. */
    async list(
      projectId: string | undefined,
      page: { skip: number; limit: number; after?: ListCursor | null | undefined },
    ) {
      const where = { ...snapshot, ...(projectId === undefined ? {} : { project_id: projectId }) };
      const [items, total] = await Promise.all([
        acceptances
          .find({ $and: [where, newestAfter(page.after)] })
          .sort({ created_at: -1, _id: 1 })
          .skip(page.skip)
          .limit(page.limit)
          .toArray(),
        acceptances.countDocuments(where),
      ]);
      return { items, total };
    },

    ...createPendingAcceptances(acceptances),
  };
}

/** The same, with concurrent reads combined into one. No result is older than its request. */
export function createBatchedAcceptances(
  acceptances: Pick<AcceptanceStore, 'epochsOf' | 'active' | 'lapse'>,
): Pick<AcceptanceStore, 'epoch' | 'active' | 'lapse'> {
  return {
    epoch: createBatcher<string, number>(async (projectIds) => {
      const epochs = await acceptances.epochsOf(projectIds);
      return projectIds.map((id) => epochs.get(id) ?? 0);
    }, readsAtOnce),
    active: createBatcher<string, ActiveAcceptances>((projectIds) => {
      const found = new Map<string, Promise<ActiveAcceptances>>();
      for (const id of new Set(projectIds)) found.set(id, acceptances.active(id));
      return Promise.all(projectIds.map((id) => found.get(id) as Promise<ActiveAcceptances>));
    }, readsAtOnce),
    lapse: acceptances.lapse,
  };
}

/** The condition on acceptances after a position of the list: newest first, ties by id. */
function newestAfter(after: ListCursor | null | undefined): Filter<AcceptanceDocument> {
  if (!after) return {};
  const at = new Date(after.at);
  return { $or: [{ created_at: { $lt: at } }, { created_at: at, _id: { $gt: after.id } }] };
}
