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

    /** The services of a project, by name, ties by id; the project's own line is none. */
    servicesOf: (projectId: string) =>
      lines
        .find({ project_id: projectId, name: { $ne: null } })
        .sort({ name: 1, _id: 1 })
        .toArray(),

    /**
     * A new line with its first SBOM. `lost`: another upload made the line first; `gone`: the
     * project was deleted meanwhile. The project is looked at after the line is stored: a delete
     * lays its tombstone first and looks for lines afterwards, so one of the two sees the other.
     */
    async begin(line: LineDocument, sbom: SbomDocument): Promise<'done' | 'lost' | 'gone'> {
      try {
        await inTransaction(client, async (session) => {
          await lines.insertOne(line, { session });
          await sboms.insertOne(sbom, { session });
        });
      } catch (error) {
        if (isDuplicateKey(error)) return 'lost';
        throw error;
      }
      if (await projects.findOne({ _id: line.project_id }, { projection: { _id: 1 } }))
        return 'done';
      await inTransaction(client, async (session) => {
        await sboms.deleteMany({ line_id: line._id }, { session });
        await lines.deleteOne({ _id: line._id }, { session });
      });
      return 'gone';
    },

    /** The next SBOM of a line, on condition that the line still stands at `seq`. */
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
