import type { ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral } from '@bomtrail/mongo';
import type { Collection, Filter } from 'mongodb';
import type { OwnershipKeys } from '../domain/ownership';
import { nameKeyOf } from '../domain/slug';
import type { ProjectDocument } from './documents';
import { newestAfter, type Part } from './newest-first';

/** Case-insensitive, but also equates some other letters: the filter itself is exact. */
export const anyCase = { locale: 'en', strength: 2 } as const;

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

/** A page of projects, and the number of all that match. */
export type ListProjects = (
  filter: ProjectFilter,
  page: Part,
) => Promise<{ items: ProjectDocument[]; total: number }>;

export function createListProjects(projects: Collection<ProjectDocument>): ListProjects {
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

  /** Newest first, ties by id; each filter has an index with this order. */
  return async function list(filter: ProjectFilter, page: Part) {
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
