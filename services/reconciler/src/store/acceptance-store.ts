import {
  createBatcher,
  inTransaction,
  isDuplicateKey,
  type Database,
  type IndexPlan,
} from '@bomtrail/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import type { AcceptanceDocument, ServiceStateDocument } from './documents';
import { createProjectStore } from './project-store';

export const acceptanceIndexes: IndexPlan = {
  acceptances: [
    // One acceptance per alias group and scope: a unique multikey index refuses a second one that
    // shares an id. One that has expired leaves its place to a new one.
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

/** What lines that change together ask for at the same moment. */
const readsAtOnce = 64;

/**
 * Expired by the time of the database's server, the one clock of all processes, and not in the rows:
 * not yet taken out of force, or by a process that has not ended its work on the rows.
 */
const due: Filter<AcceptanceDocument> = {
  $or: [
    {
      lapsed: false,
      expires_at: { $type: 'date' },
      $expr: { $lte: ['$expires_at', '$$NOW'] },
    },
    { lapsed: true, pending: { $in: ['apply', 'revert'] } },
  ],
};

/** Acceptances in force, and the time by which that is judged. */
export interface ActiveAcceptances {
  acceptances: AcceptanceDocument[];
  now: Date;
}

export type AcceptanceStore = ReturnType<typeof createAcceptanceStore>;

/** Risk acceptances, and a counter per project that tells whether they changed. */
export function createAcceptanceStore(database: Database) {
  const { db, client } = database;
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const epochs = db.collection<{ _id: string; epoch: number }>('acceptance_epochs');
  const states = db.collection<ServiceStateDocument>('service_states');
  const projects = createProjectStore(database);
  const snapshot = { pending: { $ne: 'revert' as const } };

  /** Takes acceptances of one project out of force, as far as they are so; gives how many were. */
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
    /** Grows with every change to the project's acceptances; 0 when there never was one. */
    async epoch(projectId: string): Promise<number> {
      return (await epochs.findOne({ _id: projectId }))?.epoch ?? 0;
    },

    /** The same for several projects; one that never had an acceptance is not in the answer. */
    async epochsOf(projectIds: readonly string[]): Promise<Map<string, number>> {
      const found = await epochs.find({ _id: { $in: [...new Set(projectIds)] } }).toArray();
      return new Map(found.map(({ _id, epoch }) => [_id, epoch]));
    },

    /**
     * Those that are in force, and the time of the database's server, by which all processes judge
     * what has expired; one that has and was not taken out of force yet may be among them.
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

    /** `no_project`, `no_service`: what it is for was deleted. */
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

    /** Takes an acceptance out of force; it is hidden from now on. False when another call did. */
    async revoke({ _id, project_id }: AcceptanceDocument): Promise<boolean> {
      return (await deactivate(project_id, { _id }, { pending: 'revert' })) === 1;
    },

    /** Takes expired acceptances of a project out of force, for good; they stay listed. */
    async lapse(projectId: string, ids: readonly string[]): Promise<void> {
      const still = { _id: { $in: [...ids] }, lapsed: false };
      await deactivate(projectId, still, { lapsed: true, pending: 'apply' });
    },

    /**
     * The rows show these as they were read: revoked ones go, the others need nothing more. One that
     * was taken out of force since is left to whoever did that.
     */
    async finish(finished: readonly AcceptanceDocument[]): Promise<void> {
      const idsOf = (revoked: boolean, lapsed?: boolean): string[] =>
        finished
          .filter((one) => (one.pending === 'revert') === revoked)
          .filter((one) => lapsed === undefined || one.lapsed === lapsed)
          .map(({ _id }) => _id);
      const gone = idsOf(true);
      if (gone.length > 0) await acceptances.deleteMany({ _id: { $in: gone } });
      for (const lapsed of [false, true]) {
        const ids = idsOf(false, lapsed);
        if (ids.length === 0) continue;
        const where = { _id: { $in: ids }, pending: 'apply' as const, lapsed };
        await acceptances.updateMany(where, { $set: { pending: null } });
      }
    },

    /** Newest first, ties by id. */
    async list(projectId: string | undefined, page: { skip: number; limit: number }) {
      const where = { ...snapshot, ...(projectId === undefined ? {} : { project_id: projectId }) };
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

    /** Given or taken back some time ago, and not in the rows: whoever began that has ended. */
    pendingBefore: (before: Date, limit: number) =>
      acceptances
        .find({
          pending: { $in: ['apply', 'revert'] },
          lapsed: false,
          updated_at: { $lte: before },
        })
        .limit(limit)
        .toArray(),

    /** The projects with acceptances whose time has passed and that the rows still show. */
    async projectsWithDue(): Promise<string[]> {
      const found = acceptances.aggregate<{ _id: string }>([
        { $match: due },
        { $group: { _id: '$project_id' } },
      ]);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    /** Such acceptances of one project. */
    dueOf: (projectId: string, limit: number): Promise<AcceptanceDocument[]> =>
      acceptances
        .find({ ...due, project_id: projectId })
        .limit(limit)
        .toArray(),
  };
}

/**
 * The same acceptances for lines that change together: what several of them ask for at the same moment
 * is read once; nothing is from before it was asked for.
 */
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
