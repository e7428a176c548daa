import { createBatcher, type Batched } from '@bomtrail/concurrency';
import type { ProjectScope } from '@bomtrail/messages';
import { isDuplicateKey, oneOrSeveral, type IndexPlan } from '@bomtrail/mongo';
import { MongoServerError, type Db, type Filter } from 'mongodb';
import { ownershipFieldNames, type OwnershipKeys } from '../domain/ownership';
import { nameKeyOf } from '../domain/slug';
import { manyBatched } from './batched';
import { changeOf } from './change-of';
import { newestAfter, type Part } from './newest-first';
import type { ProjectDocument } from './documents';

const namedFields = [
  'name',
  'slug',
  'service_levels',
  'ships_products',
  ...ownershipFieldNames,
] as const;
type ProjectName = Pick<ProjectDocument, '_id' | (typeof namedFields)[number]>;

type LevelledProject = Required<Pick<ProjectDocument, '_id' | 'service_levels'>>;

/** Case-insensitive, but also equates some other letters: the filter itself is exact. */
const anyCase = { locale: 'en', strength: 2 } as const;

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

/** `name`: substring, case-insensitive; `slug`: exact; `platform`: exact, case-insensitive. */
export interface ProjectFilter {
  name?: string | undefined;
  slug?: string | undefined;
  platform?: string | undefined;
  /** Their own owner and labels. */
  owned?: OwnershipKeys | undefined;
  /** Only these. */
  project_id?: ProjectScope | undefined;
}

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
export function createProjectStore(db: Db) {
  const projects = db.collection<ProjectDocument>('projects');

  async function withConflicts<Result>(
    write: Promise<Result>,
  ): Promise<Result | 'name_taken' | 'slug_taken'> {
    try {
      return await write;
    } catch (error) {
      if (!isDuplicateKey(error) || !(error instanceof MongoServerError)) throw error;
      const pattern = error['keyPattern'] as Record<string, unknown> | undefined;
      return pattern && 'slug' in pattern ? 'slug_taken' : 'name_taken';
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

  /** Counts from an index alone. */
  function countOf({ name_key }: Filter<ProjectDocument>): Promise<number> {
    return projects.countDocuments(
      { name_key: name_key ?? { $gte: '' } },
      { hint: { name_key: 1 } },
    );
  }

  function ofPlatform(others: Filter<ProjectDocument>, platform: string) {
    const where = { $and: [{ platform }, { platform: exactly(platform) }, others] };
    const options = { collation: anyCase, hint: 'of_platform' };
    return { found: projects.find(where, options), total: projects.countDocuments(where, options) };
  }

  /** Few, or in memory: an owner has some tens of projects. */
  function listOwned({ owned, slug, platform }: ProjectFilter, others: Filter<ProjectDocument>) {
    const where: Filter<ProjectDocument> = {
      ...others,
      ...ownedWhere(owned ?? {}),
      ...(slug ? { slug } : {}),
      ...(platform ? { platform: exactly(platform) } : {}),
    };
    const options = { hint: owned?.owner_key === undefined ? 'labelled' : 'owned' };
    return { found: projects.find(where, options), total: projects.countDocuments(where, options) };
  }

  /** Of few projects: read by their ids, filtered and sorted in memory. */
  async function listAmong(
    { project_id, name, slug, platform, owned }: ProjectFilter & { project_id: ProjectScope },
    page: Part,
  ) {
    const where: Filter<ProjectDocument> = {
      _id: oneOrSeveral(project_id),
      ...(name ? { name_key: { $regex: escapeRegex(nameKeyOf(name)) } } : {}),
      ...(slug ? { slug } : {}),
      ...(platform ? { platform: exactly(platform) } : {}),
      ...(owned ? ownedWhere(owned) : {}),
    };
    const items = projects
      .find({ $and: [where, newestAfter(page.after)] }, { hint: { _id: 1 } })
      .sort({ created_at: -1, _id: 1 })
      .skip(page.skip)
      .limit(page.limit)
      .toArray();
    const total = projects.countDocuments(where, { hint: { _id: 1 } });
    return { items: await items, total: await total };
  }

  return {
    insert: (project: ProjectDocument) =>
      withConflicts(projects.insertOne(project).then(() => 'done' as const)),

    /** Removes undefined fields. `gone`: the project does not exist. */
    update: (id: string, changes: ProjectChanges) =>
      withConflicts(
        projects
          .updateOne({ _id: id }, changeOf<ProjectDocument>(changes))
          .then(({ matchedCount }) => (matchedCount === 1 ? ('done' as const) : ('gone' as const))),
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

    /** Newest first, ties by id; each filter has an index with this order. */
    async list(filter: ProjectFilter, page: Part) {
      const where: Filter<ProjectDocument> = { ...newestAfter(page.after) };
      if (filter.project_id !== undefined)
        return listAmong({ ...filter, project_id: filter.project_id }, page);
      if (filter.name) where.name_key = { $regex: escapeRegex(nameKeyOf(filter.name)) };
      if (filter.slug && !filter.owned) {
        const platform = filter.platform ? { platform: exactly(filter.platform) } : {};
        const items = await projects.find({ ...where, ...platform, slug: filter.slug }).toArray();
        return { items: items.slice(page.skip, page.skip + page.limit), total: items.length };
      }
      const { found, total } = filter.owned
        ? listOwned(filter, where)
        : filter.platform
          ? ofPlatform(where, filter.platform)
          : { found: projects.find(where).hint('newest_first'), total: countOf(where) };
      const items = found
        .sort({ created_at: -1, _id: 1 })
        .skip(page.skip)
        .limit(page.limit)
        .toArray();
      return { items: await items, total: await total };
    },

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

function ownedWhere({ owner_key, label_keys }: OwnershipKeys): Filter<ProjectDocument> {
  return {
    ...(owner_key === undefined ? {} : { owner_key }),
    ...(label_keys === undefined ? {} : { label_keys: { $in: label_keys } }),
  };
}

/** Exact match, case-insensitive. */
function exactly(platform: string): { $regex: string; $options: 'i' } {
  return { $regex: `^${escapeRegex(platform)}\\z`, $options: 'i' };
}

function escapeRegex(text: string): string {
  // A pattern must not contain a null character.
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\0', '\\x00');
}
