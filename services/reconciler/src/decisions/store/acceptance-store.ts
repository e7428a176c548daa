import type { ListCursor, ProjectScope } from '@bomtrail/messages';
import {
  type Database,
  type IndexPlan,
  inTransaction,
  isDuplicateKey,
  oneOrSeveral,
} from '@bomtrail/mongo';
import type { ClientSession, Filter } from 'mongodb';
import {
  type AcceptanceDocument,
  allProjects,
  type ServiceStateDocument,
} from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';
import type { AcceptanceFilter, AcceptanceStore, InsertOutcome } from '../ports';
import { createAcceptanceEpochs } from './acceptance-epochs';
import { createActiveAcceptances } from './active-acceptances';
import { createPendingAcceptances } from './pending-acceptances';

export const acceptanceIndexes: IndexPlan = {
  acceptances: [
    // One active decision of a person per alias group and scope: a unique multikey index rejects a second one
    // that shares a slot. Lapsed decisions are exempt.
    {
      key: { project_id: 1, slots: 1 },
      name: 'one_active',
      unique: true,
      partialFilterExpression: { lapsed: false, slots: { $exists: true } },
    },
    { key: { project_id: 1, identity: 1 } },
    { key: { project_id: 1, services: 1 } },
    { key: { vex_id: 1 }, sparse: true },
    { key: { project_id: 1, created_at: -1, _id: 1 } },
    { key: { created_at: -1, _id: 1 } },
    { key: { pending: 1 }, sparse: true },
    { key: { lapsed: 1, expires_at: 1 }, partialFilterExpression: { lapsed: false } },
  ],
};

/** Decisions, with an epoch per project that changes with them. */
export function createAcceptanceStore(database: Database): AcceptanceStore {
  const { db, client } = database;
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const states = db.collection<ServiceStateDocument>('service_states');
  const projects = createProjectStore(database);
  const epochs = createAcceptanceEpochs(db);
  const notRevoked = { pending: { $ne: 'revert' as const } };

  /** Changes matching decisions and moves the epochs of their projects; returns the number of changed ones. */
  function deactivate(
    where: Filter<AcceptanceDocument>,
    change: Partial<AcceptanceDocument>,
  ): Promise<number> {
    return inTransaction(client, async (session) => {
      const changing = { ...where, ...notRevoked };
      // A transaction cannot use `distinct` of a sharded collection.
      const group = { $group: { _id: '$project_id' } };
      const of = await acceptances
        .aggregate<{ _id: string }>([{ $match: changing }, group], { session })
        .toArray();
      if (of.length === 0) return 0;
      const { modifiedCount } = await acceptances.updateMany(
        changing,
        { $set: change },
        { session },
      );
      for (const { _id } of of) await epochs.move(_id, session);
      return modifiedCount;
    });
  }

  async function add(
    acceptance: AcceptanceDocument,
    session: ClientSession,
  ): Promise<'done' | 'no_service'> {
    const { project_id, services } = acceptance;
    const deleted = { _id: { $in: services ?? [] }, deletion_state: { $exists: true } };
    if (services && (await states.findOne(deleted, { session }))) return 'no_service';
    await acceptances.insertOne(acceptance, { session });
    await epochs.move(project_id, session);
    return 'done';
  }

  return {
    ...epochs,
    ...createActiveAcceptances(acceptances),
    ...createPendingAcceptances(acceptances),

    byId: (id) => acceptances.findOne({ _id: id }),

    async insert(acceptance): Promise<InsertOutcome> {
      try {
        const outcome = await projects.addTo(acceptance.project_id, (session) =>
          add(acceptance, session),
        );
        return outcome === 'deleted' ? 'no_project' : outcome;
      } catch (error) {
        if (isDuplicateKey(error)) return 'exists';
        throw error;
      }
    },

    async change(read, { updated_by, ...content }) {
      const { _id, project_id, updated_at, decision, former } = read;
      const now = new Date(Math.max(Date.now(), updated_at.getTime() + 1));
      const isOther = content.decision !== undefined && content.decision !== decision;
      const $set: Partial<AcceptanceDocument> = {
        ...content,
        updated_by,
        updated_at: now,
        pending: 'apply',
        ...(isOther && { decided_at: now, former: [...former, { decision, until: now }] }),
      };
      return inTransaction(client, async (session) => {
        const where = { _id, updated_at, lapsed: false, ...notRevoked };
        const changed = await acceptances.updateOne(where, { $set }, { session });
        if (changed.modifiedCount === 0) return null;
        await epochs.move(project_id, session);
        return { ...read, ...$set };
      });
    },

    async revoke({ _id }) {
      return (await deactivate({ _id }, { pending: 'revert' })) === 1;
    },

    async lapse(ids) {
      const still = { _id: { $in: [...ids] }, lapsed: false };
      await deactivate(still, { lapsed: true, pending: 'apply' });
    },

    async list(filter, { skip, limit, after }) {
      const where = whereOf(filter);
      const [items, total] = await Promise.all([
        acceptances
          .find({ $and: [where, newestAfter(after)] })
          .sort({ created_at: -1, _id: 1 })
          .skip(skip)
          .limit(limit)
          .toArray(),
        acceptances.countDocuments(where),
      ]);
      return { items, total };
    },
  };
}

function whereOf({
  project_id,
  is_global,
  decision,
  source,
  expires_before,
  expires_after,
}: AcceptanceFilter): Filter<AcceptanceDocument> {
  return {
    pending: { $ne: 'revert' },
    project_id: is_global ? allProjects : inProjects(project_id),
    ...(decision && { decision: { $in: [...decision] } }),
    source: source ?? { $ne: 'rule' },
    ...((expires_before || expires_after) && {
      expires_at: {
        ...(expires_before && { $lt: new Date(expires_before) }),
        ...(expires_after && { $gt: new Date(expires_after) }),
      },
    }),
  };
}

function inProjects(scope: ProjectScope | undefined) {
  return scope === undefined ? { $ne: allProjects } : oneOrSeveral(scope);
}

/** The condition on decisions after a position of the list: newest first, ties by id. */
function newestAfter(after: ListCursor | null | undefined): Filter<AcceptanceDocument> {
  if (!after) return {};
  const at = new Date(after.at);
  return { $or: [{ created_at: { $lt: at } }, { created_at: at, _id: { $gt: after.id } }] };
}
