import type { ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral, type IndexPlan } from '@bomtrail/mongo';
import type { Db, Filter } from 'mongodb';
import type { OwnershipKeys } from '../domain/ownership';
import type { ProjectDocument, ServiceDocument } from './documents';

export const ownershipIndexes: IndexPlan = {
  projects: [
    {
      key: { owner_key: 1, created_at: -1, _id: 1 },
      name: 'owned',
      partialFilterExpression: { owner_key: { $exists: true } },
    },
    {
      key: { label_keys: 1, created_at: -1, _id: 1 },
      name: 'labelled',
      partialFilterExpression: { label_keys: { $exists: true } },
    },
  ],
  services: [
    {
      key: { owner_key: 1, project_id: 1 },
      name: 'owned',
      partialFilterExpression: { owner_key: { $exists: true } },
    },
    {
      key: { label_keys: 1, project_id: 1 },
      name: 'labelled',
      partialFilterExpression: { label_keys: { $exists: true } },
    },
  ],
};

export type OwnedServices = ReturnType<typeof createOwnedServices>;

/** Finds services by owner and labels, their own or their project's. */
export function createOwnedServices(db: Db) {
  const projects = db.collection<ProjectDocument>('projects');
  const services = db.collection<ServiceDocument>('services');

  async function projectsWhere(where: Filter<ProjectDocument>, hint: string): Promise<string[]> {
    const found = projects.find(where, { hint, batchSize: 5_000 }).project<{ _id: string }>({
      _id: 1,
    });
    return (await found.toArray()).map(({ _id }) => _id);
  }

  async function ownerWhere(owner_key: string): Promise<Filter<ServiceDocument>> {
    const project_id = { $in: await projectsWhere({ owner_key }, 'owned') };
    return { $or: [{ owner_key }, { owner_key: { $exists: false }, project_id }] };
  }

  /** OW6: projects with an owner are few beside services without one. */
  async function anyOwnerWhere(has_owner: boolean): Promise<Filter<ServiceDocument>> {
    const owned = await projectsWhere({ owner_key: { $exists: true } }, 'owned');
    const own = { owner_key: { $exists: has_owner } };
    return has_owner
      ? { $or: [own, { project_id: { $in: owned } }] }
      : { ...own, project_id: { $nin: owned } };
  }

  async function labelWhere(keys: string[]): Promise<Filter<ServiceDocument>> {
    const label_keys = { $in: keys };
    const project_id = { $in: await projectsWhere({ label_keys }, 'labelled') };
    return { $or: [{ label_keys }, { project_id }] };
  }

  /** Ids of the services (docs/rules.md OW3, OW4, OW6), ascending, after one of them, at most so many. */
  return async (
    { owner_key, has_owner, label_keys }: OwnershipKeys,
    part: { within: ProjectScope | undefined; most?: number; after?: string | null | undefined },
  ): Promise<string[]> => {
    const where = await Promise.all([
      ...(owner_key === undefined ? [] : [ownerWhere(owner_key)]),
      ...(has_owner === undefined ? [] : [anyOwnerWhere(has_owner)]),
      ...(label_keys === undefined ? [] : [labelWhere(label_keys)]),
    ]);
    const { within, most, after } = part;
    const scope = {
      ...(within === undefined ? {} : { project_id: oneOrSeveral(within) }),
      ...(after ? { _id: { $gt: after } } : {}),
    };
    const found = services
      .find({ $and: [...where, scope] }, { batchSize: 5_000 })
      .sort({ _id: 1 })
      .limit(most ?? 0)
      .project<{ _id: string }>({ _id: 1 });
    return (await found.toArray()).map(({ _id }) => _id);
  };
}
