import { inTransaction, type Database, type IndexPlan } from '@bomtrail/service-kit';
import type { ClientSession, Collection, Filter } from 'mongodb';
import type {
  AcceptanceDocument,
  LedgerDocument,
  LogDocument,
  KnownProjectDocument,
  RowDocument,
} from './documents';
import { createListedCounts } from './listed-counts';
import { createProjectStore } from './project-store';

const hiddenOnly = {
  key: { forgotten: 1 },
  partialFilterExpression: { forgotten: 'hidden' },
} as const;

export const forgetIndexes: IndexPlan = {
  known_projects: [hiddenOnly],
  ledgers: [hiddenOnly, { key: { project_id: 1, _id: 1 } }],
};

/** Lines of a deleted project that are purged together. */
const linesAtOnce = 200;

/** What is deleted but not purged yet. */
export interface Hidden {
  projects: string[];
  lines: string[];
}

export type ForgetStore = ReturnType<typeof createForgetStore>;

/**
 * Forgets deleted projects and lines. Hiding comes first: afterwards no write adds anything, so that
 * what purging finds is all there is.
 */
export function createForgetStore(database: Database) {
  const { db } = database;
  const known = createProjectStore(database);
  const projects = db.collection<KnownProjectDocument>('known_projects');
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const log = db.collection<LogDocument>('sbom_log');
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const epochs = db.collection<{ _id: string; epoch: number }>('acceptance_epochs');
  const counted = createListedCounts(db);
  const notYet = { forgotten: { $exists: false } };

  /** Removes rows and log entries of these lines, at most `limit` of each, and their listed rows from the totals. `more`: some are left. */
  async function purgeRows(serviceIds: string[], limit: number): Promise<{ more: boolean }> {
    const where = { service_id: { $in: serviceIds } };
    await inTransaction(database.client, (session) =>
      counted.uncount({ _id: { $in: serviceIds } }, session),
    );
    const counts = [await dropSome(rows, where, limit), await dropSome(log, where, limit)];
    return { more: counts.includes(limit) };
  }

  return {
    /**
     * @param project_id only this one and its lines; all when absent
     * @param session of several reads of one moment, this one first
     */
    async hidden({
      project_id,
      session,
    }: { project_id?: string | undefined; session?: ClientSession } = {}): Promise<Hidden> {
      const where = { forgotten: 'hidden' as const };
      const [one, its] =
        project_id === undefined ? [{}, {}] : [{ _id: project_id }, { project_id }];
      const ofLines = [
        { $match: { ...where, ...its } },
        { $project: { isLine: { $literal: true } } },
      ];
      const found = await projects
        .aggregate<{ _id: string; isLine?: true }>(
          [
            { $match: { ...where, ...one } },
            { $project: { _id: 1 } },
            { $unionWith: { coll: ledgers.collectionName, pipeline: ofLines } },
          ],
          { session },
        )
        .toArray();
      const idsOf = (isLine: boolean): string[] =>
        found.flatMap((hidden) => ((hidden.isLine ?? false) === isLine ? [hidden._id] : []));
      return { projects: idsOf(false), lines: idsOf(true) };
    },

    /** Was this line deleted, alone or with its project? */
    async isForgotten(line: { service_id: string; project_id: string }): Promise<boolean> {
      const forgotten = { forgotten: { $exists: true } };
      const [project, ledger] = await Promise.all([
        projects.findOne({ _id: line.project_id, ...forgotten }),
        ledgers.findOne({ _id: line.service_id, ...forgotten }),
      ]);
      return project !== null || ledger !== null;
    },

    /** Takes a project out of every read, for good. Repeating it changes nothing. */
    async hideProject(projectId: string): Promise<void> {
      await projects.updateOne(
        { _id: projectId },
        { $setOnInsert: { changes: 0 } },
        { upsert: true },
      );
      await projects.updateOne({ _id: projectId, ...notYet }, { $set: { forgotten: 'hidden' } });
      // No line joins any more; writes to those that are there depend on the version.
      await ledgers.updateMany(
        { project_id: projectId, ...notYet },
        { $set: { forgotten: 'with-project' }, $inc: { version: 1 } },
      );
      await acceptances.deleteMany({ project_id: projectId });
    },

    /** Takes a service out of every read, for good, with the acceptances in its scope. Repeating it changes nothing. */
    async hideLine(line: { service_id: string; project_id: string }): Promise<void> {
      const { service_id, project_id } = line;
      await known.addTo(project_id, async (session) => {
        const ledger = await ledgers.findOne({ _id: service_id }, { session });
        if (ledger?.forgotten) return;
        await ledgers.updateOne(
          { _id: service_id },
          {
            $set: { forgotten: 'hidden' },
            $inc: { version: 1 },
            $setOnInsert: { project_id, head: null, revision: 0 },
          },
          { upsert: true, session },
        );
        await acceptances.deleteMany({ project_id, service_id: service_id }, { session });
      });
    },

    /** Removes one batch of a hidden project. */
    async purgeProject(projectId: string, limit: number): Promise<{ more: boolean }> {
      const lines = await ledgers
        .find({ project_id: projectId })
        .project<{ _id: string }>({ _id: 1 })
        .limit(linesAtOnce)
        .toArray();
      const ids = lines.map(({ _id }) => _id);
      if (ids.length > 0) {
        if ((await purgeRows(ids, limit)).more) return { more: true };
        await ledgers.deleteMany({ _id: { $in: ids } });
        if (ids.length === linesAtOnce) return { more: true };
      }
      await epochs.deleteOne({ _id: projectId });
      await projects.updateOne({ _id: projectId }, { $set: { forgotten: 'purged' } });
      return { more: false };
    },

    /** Removes one batch of a hidden line. */
    async purgeLine(serviceId: string, limit: number): Promise<{ more: boolean }> {
      const { more } = await purgeRows([serviceId], limit);
      if (!more) {
        await ledgers.updateOne(
          { _id: serviceId, forgotten: 'hidden' },
          { $set: { forgotten: 'purged' } },
        );
      }
      return { more };
    },
  };
}

/** Removes at most `limit` documents; gives how many. */
async function dropSome<Document extends { _id: string }>(
  collection: Collection<Document>,
  where: Filter<Document>,
  limit: number,
): Promise<number> {
  const batch = await collection.find(where).project({ _id: 1 }).limit(limit).toArray();
  const ids = batch.map((document) => document['_id'] as string);
  if (ids.length > 0) await collection.deleteMany({ _id: { $in: ids } } as Filter<Document>);
  return ids.length;
}
