import { createBatcher, type Batched } from '@bomtrail/concurrency';
import { inTransaction, isDuplicateKey, type Database, type IndexPlan } from '@bomtrail/mongo';
import { MongoServerError } from 'mongodb';
import { ownershipFieldNames } from '../domain/ownership';
import { manyBatched } from './batched';
import { changeOf } from './change-of';
import type { ProjectDocument } from './documents';
import { createNamesRevision } from './names-revision';
import { anyCase, createListProjects } from './project-list';

const namedFields = [
  'name',
  'slug',
  'service_levels',
  'ships_products',
  ...ownershipFieldNames,
] as const;
type ProjectName = Pick<ProjectDocument, '_id' | (typeof namedFields)[number]>;

type LevelledProject = Required<Pick<ProjectDocument, '_id' | 'service_levels'>>;

const maxBatch = 200;

export const projectIndexes: IndexPlan = {
  projects: [
    { key: { slug: 1 }, unique: true },
    { key: { name_key: 1 }, unique: true },
    // Includes the name, so that non-matching projects are skipped without reading them.
    { key: { created_at: -1, _id: 1, name_key: 1 }, name: 'newest_first' },
    {
      key: { _id: 1, service_levels: 1 },
      name: 'service_levels',
      partialFilterExpression: { service_levels: { $exists: true } },
    },
    { key: { platform: 1, created_at: -1, _id: 1 }, name: 'of_platform', collation: anyCase },
  ],
};

/** Fields that a change may remove: undefined removes them. */
type Removable =
  | 'retention'
  | 'service_levels'
  | 'license_policy'
  | 'ships_products'
  | 'embedded_vex'
  | (typeof ownershipFieldNames)[number];

export type ProjectChanges = Partial<Omit<ProjectDocument, Removable>> & {
  [Field in Removable]?: ProjectDocument[Field] | undefined;
};

export type ProjectStore = ReturnType<typeof createProjectStore>;

/** Projects. A write with a taken name or slug returns which of them is taken. */
export function createProjectStore({ db, client }: Database) {
  const projects = db.collection<ProjectDocument>('projects');
  const names = createNamesRevision(db);

  async function withConflicts<Result>(
    write: Promise<Result>,
  ): Promise<Result | 'name_taken' | 'slug_taken'> {
    try {
      return await write;
    } catch (error) {
      if (!isDuplicateKey(error) || !(error instanceof MongoServerError)) throw error;
      const pattern = error['keyPattern'] as Record<string, unknown> | undefined;
      if (pattern && 'slug' in pattern) return 'slug_taken';
      if (pattern && 'name_key' in pattern) return 'name_taken';
      throw error;
    }
  }

  /** A project by a unique field. Concurrent calls share one query. */
  function oneBy(field: '_id' | 'slug'): Batched<string, ProjectDocument | null> {
    return createBatcher(async (values) => {
      const found = await projects.find({ [field]: { $in: [...new Set(values)] } }).toArray();
      const by = new Map(found.map((project) => [project[field], project]));
      return values.map((value) => by.get(value) ?? null);
    }, maxBatch);
  }

  return {
    insert: (project: ProjectDocument) =>
      withConflicts(projects.insertOne(project).then(() => 'done' as const)),

    /** Removes undefined fields. `gone`: the project does not exist. */
    update: (id: string, changes: ProjectChanges) =>
      withConflicts(
        inTransaction(client, async (session) => {
          const change = changeOf<ProjectDocument>(changes);
          const { matchedCount } = await projects.updateOne({ _id: id }, change, { session });
          if (matchedCount === 0) return 'gone' as const;
          if (namedFields.some((field) => field in changes)) await names.change(session);
          return 'done' as const;
        }),
      ),

    byId: oneBy('_id'),

    bySlug: oneBy('slug'),

    /** Slugs that begin with `base`, with which a new one may collide. */
    async slugsLike(base: string): Promise<Set<string>> {
      const stem = base.slice(0, 70);
      const taken = await projects
        .find({ slug: { $gte: stem, $lt: `${stem}\uffff` } })
        .project<{ slug: string }>({ slug: 1, _id: 0 })
        .toArray();
      return new Set(taken.map((project) => project.slug));
    },

    list: createListProjects(projects),

    /** The service levels of a project, or of all that have some, up to a number. */
    levels: (projectId: string | undefined, most: number) =>
      projects
        .find({ service_levels: { $exists: true }, ...(projectId && { _id: projectId }) })
        .hint('service_levels')
        .limit(most)
        .project<LevelledProject>({ service_levels: 1 })
        .toArray(),

    /** Concurrent calls share one query. */
    namesOf: manyBatched<ProjectName>((ids) =>
      projects
        .find({ _id: { $in: ids } })
        .project<ProjectName>(Object.fromEntries(namedFields.map((field) => [field, 1])))
        .toArray(),
    ),
  };
}
