import { z } from 'zod';
import { rpc } from '../define';
import { id, type ServiceLevels } from './fields';

/** Display names of a service. */
export interface ServiceNames {
  service_id: string;
  project_id: string;
  project_name: string;
  project_slug: string;
  /** Null: the project-level service. */
  service_name: string | null;
  /** Of the project; absent: none. */
  service_levels?: ServiceLevels;
  /** Of the project; absent: no. */
  ships_products?: true;
  /** Its own owner, else the project's; absent: none. */
  owner?: string;
  /** Its own and the project's; absent: none. */
  labels?: string[];
}

export const nameServices = rpc<ServiceNames[]>()({
  service: 'catalog',
  callers: ['gateway', 'reconciler', 'notifier'],
  name: 'name-services.v1',
  request: z.object({
    service_ids: z.array(id).max(200),
    /** The projects of the services, if known: both are then read at once. */
    project_ids: z.array(id).max(200).optional(),
  }),
});

/**
 * The revision of everything that `nameServices` returns: another value after a service or project was changed or
 * deleted. Names that were read after a revision are those of any later time with the same one.
 */
export const readNamesRevision = rpc<{ revision: string }>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'read-names-revision.v1',
  request: z.object({}),
  // Without a revision the names are requested: no list waits long for it.
  timeoutMs: 500,
});

/** Display names of projects; deleted ones are omitted. */
export const nameProjects = rpc<Omit<ServiceNames, 'service_id' | 'service_name'>[]>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'name-projects.v1',
  request: z.object({ project_ids: z.array(id).max(200) }),
});

/** Projects that have the same service levels. */
export interface LevelledProjects {
  service_levels: ServiceLevels;
  project_ids: string[];
}

/** The service levels of a project, or of all (at most one more than a filter takes); those without are omitted. */
export const listServiceLevels = rpc<LevelledProjects[]>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'list-service-levels.v1',
  request: z.object({ project_id: id.optional() }),
});

/** Maximum SBOM ids per `name-sboms` request: a page, or a timeline. */
export const maxNamedSboms = 500;

/** The versions of SBOMs; unknown ids are omitted. */
export const nameSboms = rpc<{ sbom_id: string; version: string | null }[]>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'name-sboms.v1',
  request: z.object({ sbom_ids: z.array(id).max(maxNamedSboms) }),
});
