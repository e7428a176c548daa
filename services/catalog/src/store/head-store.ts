import type { Db } from 'mongodb';
import type { ProjectDocument, SbomDocument, ServiceDocument } from './documents';

/** A project named by a client: by id, else by slug. */
export interface NamedProject {
  project_id: string | null;
  project_slug: string | null;
}

/** Projects and services of a batch. */
export interface Heads {
  projectOf(named: NamedProject): ProjectDocument | undefined;
  serviceOf(projectId: string, name: string | null): ServiceDocument | undefined;
}

interface Target {
  project_id: string;
  name: string | null;
}

export type HeadStore = ReturnType<typeof createHeadStore>;

/** Reads the targets of many uploads at once. */
export function createHeadStore(db: Db) {
  const projects = db.collection<ProjectDocument>('projects');
  const services = db.collection<ServiceDocument>('services');
  const sboms = db.collection<SbomDocument>('sboms');

  async function findProjects(field: '_id' | 'slug', values: readonly (string | null)[]) {
    const wanted = new Set(values.filter((value) => value !== null));
    return wanted.size === 0 ? [] : projects.find({ [field]: { $in: [...wanted] } }).toArray();
  }

  async function findServices(targets: readonly Target[]): Promise<ServiceDocument[]> {
    const names = new Map<string, Set<string | null>>();
    for (const { project_id, name } of targets) {
      names.set(project_id, (names.get(project_id) ?? new Set()).add(name));
    }
    const [one, ...others] = [...names].map(([project_id, of]) => ({
      project_id,
      name: { $in: [...of] },
    }));
    if (!one) return [];
    return services.find(others.length === 0 ? one : { $or: [one, ...others] }).toArray();
  }

  return {
    /** Those of these latest SBOMs that are scanned and wait for no re-scan. */
    async upToDate(ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const none = { $exists: false };
      const found = await sboms
        .find({ _id: { $in: [...ids] }, scan_status: 'scanned', rescan: none, deleted_at: none })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /**
     * Reads all projects and services of these uploads; services of projects named by slug in a
     * second read.
     */
    async of(targets: readonly (NamedProject & { name: string | null })[]): Promise<Heads> {
      const byId = targets.flatMap(({ project_id, name }) =>
        project_id === null ? [] : [{ project_id, name }],
      );
      const bySlug = targets.filter(({ project_id }) => project_id === null);
      const [withIds, withSlugs, servicesOfIds] = await Promise.all([
        findProjects(
          '_id',
          byId.map(({ project_id }) => project_id),
        ),
        findProjects(
          'slug',
          bySlug.map(({ project_slug }) => project_slug),
        ),
        findServices(byId),
      ]);
      const idOf = new Map(withSlugs.map(({ slug, _id }) => [slug, _id]));
      const servicesOfSlugs = await findServices(
        bySlug.flatMap(({ project_slug, name }) => {
          const project_id = idOf.get(project_slug ?? '');
          return project_id === undefined ? [] : [{ project_id, name }];
        }),
      );
      const foundProjects = new Map(
        [...withIds, ...withSlugs].map((project) => [project._id, project]),
      );
      const foundServices = new Map(
        [...servicesOfIds, ...servicesOfSlugs].map((service) => [key(service), service]),
      );
      return {
        projectOf: ({ project_id, project_slug }) =>
          foundProjects.get(project_id ?? idOf.get(project_slug ?? '') ?? ''),
        serviceOf: (project_id, name) => foundServices.get(key({ project_id, name })),
      };
    },
  };
}

/** JSON, because service names may contain any character. */
function key({ project_id, name }: Target): string {
  return JSON.stringify([project_id, name]);
}
