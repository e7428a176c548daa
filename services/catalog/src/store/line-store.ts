import {
  inTransaction,
  isDuplicateKey,
  type Database,
  type IndexPlan,
} from '@bomtrail/service-kit';
import { latestOf } from '../domain/duplicate';
import type { LineDocument, ProjectDocument, SbomDocument } from './documents';

export const lineIndexes: IndexPlan = {
  lines: [{ key: { project_id: 1, name: 1 }, unique: true }],
};

export type LineStore = ReturnType<typeof createLineStore>;

/** Version lines: the heads that put the SBOMs of a service in order. */
export function createLineStore(database: Database) {
  const { db, client } = database;
  const projects = db.collection<ProjectDocument>('projects');
  const lines = db.collection<LineDocument>('lines');
  const sboms = db.collection<SbomDocument>('sboms');

  return {
    byName: (projectId: string, name: string | null) =>
      lines.findOne({ project_id: projectId, name }),

    byId: (id: string) => lines.findOne({ _id: id }),

    byIds: (ids: string[]) => lines.find({ _id: { $in: ids } }).toArray(),

    /** By id, behind `after`; of one project or of all. */
    page: (where: { project_id?: string | undefined; after: string | null }, limit: number) =>
      lines
        .find({
          _id: { $gt: where.after ?? '' },
          ...(where.project_id === undefined ? {} : { project_id: where.project_id }),
        })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),

    /** Those of these lines that are there: a deleted one is not. */
    async thatExist(ids: string[]): Promise<Set<string>> {
      return new Set(await lines.distinct('_id', { _id: { $in: ids } }));
    },

    /** The services of a project, by name, ties by id; the project's own line is none. */
    servicesOf: (projectId: string) =>
      lines
        .find({ project_id: projectId, name: { $ne: null } })
        .sort({ name: 1, _id: 1 })
        .toArray(),

    /**
     * A new line with its first SBOM. `lost`: another upload made the line first; `gone`: the
     * project is deleted. The project's document is moved in the same transaction, so that of a
     * delete at the same time one sees the other.
     */
    async begin(line: LineDocument, sbom: SbomDocument): Promise<'done' | 'lost' | 'gone'> {
      try {
        return await inTransaction(client, async (session) => {
          const project = await projects.updateOne(
            { _id: line.project_id },
            { $inc: { lines_begun: 1 } },
            { session },
          );
          if (project.matchedCount === 0) return 'gone';
          await lines.insertOne(line, { session });
          await sboms.insertOne(sbom, { session });
          return 'done';
        });
      } catch (error) {
        if (isDuplicateKey(error)) return 'lost';
        throw error;
      }
    },

    /** The next SBOM of a line, on condition that the line still stands at `seq`; a deleted one does not. */
    append(line: { _id: string; seq: number }, sbom: SbomDocument): Promise<'done' | 'lost'> {
      return inTransaction(client, async (session) => {
        const moved = await lines.updateOne(
          { _id: line._id, seq: line.seq },
          { $set: { seq: sbom.seq, latest: latestOf(sbom) } },
          { session },
        );
        if (moved.matchedCount === 0) return 'lost';
        await sboms.insertOne(sbom, { session });
        return 'done';
      });
    },

    /** Lays a tombstone on an SBOM and lets the line's head point at the newest one that is left. Repeating it changes nothing. */
    bury(sbom: SbomDocument, now: Date): Promise<void> {
      return inTransaction(client, async (session) => {
        await sboms.updateOne(
          { _id: sbom._id, deleted_at: { $exists: false } },
          { $set: { deleted_at: now } },
          { session },
        );
        const [left] = await sboms
          .find({ line_id: sbom.line_id, deleted_at: { $exists: false } }, { session })
          .sort({ seq: -1 })
          .limit(1)
          .toArray();
        const latest = left ? latestOf(left) : null;
        await lines.updateOne({ _id: sbom.line_id }, { $set: { latest } }, { session });
      });
    },
  };
}
