import type {
  DecisionActor,
  ImportedPolicy,
  ImportedServiceReport,
  ImportSkipped,
  ImportSource,
  ProjectScope,
  ReportedImportStatus,
} from '@bomtrail/messages';
import { oneOrSeveral, type IndexPlan } from '@bomtrail/mongo';
import type { Db, Filter } from 'mongodb';

/** The report of an import from another program. */
export interface ImportDocument {
  _id: string;
  source: ImportSource;
  source_version: string | null;
  /** As it was reported last. */
  status: ReportedImportStatus;
  error: string | null;
  skipped_total: number;
  skipped: ImportSkipped[];
  /** Null: they could not be read there. */
  policies: ImportedPolicy[] | null;
  created_by: DecisionActor | null;
  created_at: Date;
  updated_at: Date;
}

/** What an import brought to one service. */
export interface ImportedServiceDocument extends ImportedServiceReport {
  import_id: string;
}

const sums = [
  'versions',
  'uploaded',
  'findings_there',
  'findings_here',
  'analyses',
  'decided',
] as const;

/** Sums over the services of one project in one import. */
export type ProjectSums = Record<(typeof sums)[number], number> & {
  import_id: string;
  project_id: string;
  services: number;
  refused: number;
  unmatched: number;
};

export const importIndexes: IndexPlan = {
  imports: [{ key: { created_at: -1, _id: 1 } }],
  imported_services: [
    { key: { import_id: 1, project_id: 1, service: 1 }, unique: true },
    { key: { project_id: 1, import_id: 1 } },
  ],
};

export type ImportStore = ReturnType<typeof createImportStore>;

/** Reports of imports. `within`: only these projects; undefined: all. */
export function createImportStore(db: Db) {
  const imports = db.collection<ImportDocument>('imports');
  const services = db.collection<ImportedServiceDocument>('imported_services');

  return {
    insert: (document: ImportDocument) => imports.insertOne(document),

    byId: (id: string) => imports.findOne({ _id: id }),

    /** Null: it does not exist. */
    update: (id: string, changes: Partial<ImportDocument>) =>
      imports.findOneAndUpdate({ _id: id }, { $set: changes }, { returnDocument: 'after' }),

    /** Replaces the entries of the same project and service. */
    async putServices(import_id: string, reports: readonly ImportedServiceReport[]): Promise<void> {
      if (reports.length === 0) return;
      await services.bulkWrite(
        reports.map((report) => ({
          replaceOne: {
            filter: { import_id, project_id: report.project_id, service: report.service },
            replacement: { ...report, import_id },
            upsert: true,
          },
        })),
      );
    },

    /** Newest first. */
    async list(within: ProjectScope | undefined, part: { skip: number; limit: number }) {
      const where: Filter<ImportDocument> = within
        ? {
            _id: {
              $in: await services.distinct('import_id', { project_id: oneOrSeveral(within) }),
            },
          }
        : {};
      const items = await imports
        .find(where)
        .sort({ created_at: -1, _id: 1 })
        .skip(part.skip)
        .limit(part.limit)
        .toArray();
      return { items, total: await imports.countDocuments(where) };
    },

    /** What these imports brought, by import and project. */
    sumsOf: (ids: readonly string[], within: ProjectScope | undefined) =>
      services
        .aggregate<ProjectSums>([
          {
            $match: {
              import_id: { $in: [...ids] },
              ...(within && { project_id: oneOrSeveral(within) }),
            },
          },
          {
            $group: {
              _id: { import_id: '$import_id', project_id: '$project_id' },
              services: { $sum: 1 },
              refused: { $sum: '$refused_total' },
              unmatched: { $sum: '$unmatched_total' },
              ...Object.fromEntries(sums.map((name) => [name, { $sum: `$${name}` }])),
            },
          },
          {
            $replaceWith: {
              $mergeObjects: [
                { $unsetField: { field: '_id', input: '$$ROOT' } },
                { import_id: '$_id.import_id', project_id: '$_id.project_id' },
              ],
            },
          },
        ])
        .toArray(),

    /** By project and service. */
    servicesOf: (
      import_id: string,
      projects: readonly string[],
      part: { skip: number; limit: number },
    ) =>
      services
        .find({ import_id, project_id: { $in: [...projects] } })
        .sort({ import_id: 1, project_id: 1, service: 1 })
        .skip(part.skip)
        .limit(part.limit)
        .project<ImportedServiceReport>({ _id: 0, import_id: 0 })
        .toArray(),
  };
}
